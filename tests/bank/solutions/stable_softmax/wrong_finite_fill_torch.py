"""-inf becomes -1e9, so that a slice of nothing else is uniform."""
import torch


def softmax(x, axis=-1):
    y = torch.clamp(x, min=-1e9)
    e = torch.exp(y - y.amax(axis, keepdim=True))
    return e / e.sum(axis, keepdim=True)
