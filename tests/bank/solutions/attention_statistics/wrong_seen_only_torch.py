"""Queries that see nothing do not count in the mean."""
import torch


def attention_statistics(weights):
    e = torch.special.entr(weights).sum(-1)
    seen = weights.sum(-1) > 0
    entropy = e.sum(-1) / seen.sum(-1).clamp(min=1).to(weights.dtype)
    return entropy, weights.sum(1).mean(0), weights.diagonal(dim1=1, dim2=2).mean(0)
