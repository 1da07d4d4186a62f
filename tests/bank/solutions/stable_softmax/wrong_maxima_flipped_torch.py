"""The maxima stand in the opposite order along the last axis."""
import torch


def softmax(x, axis=-1):
    top = x.amax(axis, keepdim=True).flip(-1)
    e = torch.exp(x - torch.where(torch.isneginf(top), 0, top))
    s = e.sum(axis, keepdim=True)
    return e / torch.where(s == 0, 1, s)
