"""The mean of nothing, and ignored rows that learn word 0."""
# causes: gradient_of_ignored_places, nothing_divided_by_nothing

import torch


def cross_entropy(logits, targets, ignore_index=-100):
    logp = torch.log_softmax(logits, dim=-1)
    keep = targets != ignore_index
    return -logp[keep].gather(1, targets[keep].unsqueeze(1)).mean()


def cross_entropy_backward(logits, targets, ignore_index=-100):
    keep = targets != ignore_index
    p = torch.softmax(logits, dim=-1)
    p[torch.arange(len(targets)), targets.masked_fill(~keep, 0)] -= 1
    return p / keep.sum()
