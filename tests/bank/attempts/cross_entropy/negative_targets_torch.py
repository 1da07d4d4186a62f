"""Everything below 0 is padding."""
# causes: everything_but_negative_targets|minus_100_always

import torch


def cross_entropy(logits, targets, ignore_index=-100):
    keep = targets >= 0
    n = max(int(keep.sum()), 1)
    logp = torch.log_softmax(logits, dim=1)
    return -logp[keep, targets[keep]].sum() / n


def cross_entropy_backward(logits, targets, ignore_index=-100):
    keep = targets >= 0
    n = max(int(keep.sum()), 1)
    grad = torch.softmax(logits, dim=1) * keep[:, None]
    grad[keep, targets[keep]] -= 1
    return grad / n
