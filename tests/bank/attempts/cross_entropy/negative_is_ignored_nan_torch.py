"""Negative targets are padding; then the mean over the others."""
# causes: everything_but_negative_targets, nothing_divided_by_nothing, gradient_of_nothing

import torch


def cross_entropy(logits, targets, ignore_index=-100):
    real = targets >= 0
    logp = torch.log_softmax(logits[real], dim=-1)
    picked = logp[torch.arange(logp.shape[0]), targets[real]]
    return -picked.mean()


def cross_entropy_backward(logits, targets, ignore_index=-100):
    real = targets >= 0
    grad = torch.zeros_like(logits)
    p = torch.exp(torch.log_softmax(logits[real], dim=-1))
    p[torch.arange(p.shape[0]), targets[real]] -= 1
    grad[real] = p
    return grad / real.sum()
