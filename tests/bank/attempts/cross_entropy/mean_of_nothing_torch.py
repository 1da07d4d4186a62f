"""Index, then mean."""
# causes: nothing_divided_by_nothing, gradient_of_nothing

import torch


def cross_entropy(logits, targets, ignore_index=-100):
    keep = targets != ignore_index
    log_p = torch.log_softmax(logits[keep], dim=-1)
    return -log_p[torch.arange(len(log_p)), targets[keep]].mean()


def cross_entropy_backward(logits, targets, ignore_index=-100):
    keep = targets != ignore_index
    grad = torch.softmax(logits, dim=-1)
    grad[keep, targets[keep]] -= 1
    grad[~keep] = 0
    return grad / keep.sum()
