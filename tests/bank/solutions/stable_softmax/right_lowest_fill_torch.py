"""-inf becomes the lowest number of the dtype; hidden entries are filled with 0 afterwards."""
import torch


def softmax(x, axis=-1):
    x = x * 1.0
    hidden = torch.isneginf(x)
    y = x.masked_fill(hidden, torch.finfo(x.dtype).min)
    y = y - y.amax(axis).unsqueeze(axis)
    e = torch.exp(y).masked_fill(hidden, 0)
    return e / e.sum(axis).unsqueeze(axis).clamp_min(torch.finfo(x.dtype).tiny)
