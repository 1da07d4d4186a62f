"""Float64 inside, NaN of 0 times minus infinity replaced, cast back at the end."""

import torch


def attention_statistics(weights):
    w = weights.double()
    terms = torch.where(w == 0, torch.zeros_like(w), w * w.log())
    i = torch.arange(min(w.shape[1], w.shape[2]))
    found = -terms.sum(2).mean(1), w.sum(1).mean(0), w[:, i, i].mean(0)
    return tuple(x.to(weights.dtype) for x in found)
