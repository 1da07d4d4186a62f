"""The mean over everything, with zeros for what is ignored."""
# causes: divided_by_every_place, gradient_divided_by_every_place

import torch


def cross_entropy(logits, targets, ignore_index=-100):
    keep = targets != ignore_index
    log_p = logits.log_softmax(-1)
    picked = log_p.gather(-1, targets.clamp(min=0)[:, None])[:, 0]
    return -picked.masked_fill(~keep, 0).mean()


def cross_entropy_backward(logits, targets, ignore_index=-100):
    keep = targets != ignore_index
    grad = logits.softmax(-1).clone()
    grad[keep, targets[keep]] -= 1
    return grad.masked_fill(~keep[:, None], 0) / len(targets)
