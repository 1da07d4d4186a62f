"""A slice of one score skips the maximum."""
import torch


def softmax(x, axis=-1):
    top = x.amax(axis, keepdim=True)
    if x.shape[axis] == 1:
        top = torch.zeros_like(top)
    e = torch.exp(x - torch.where(torch.isneginf(top), 0, top))
    s = e.sum(axis, keepdim=True)
    return e / torch.where(s == 0, 1, s)
