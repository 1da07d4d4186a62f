"""Weights below 1e-4 are taken for zeros."""
import torch


def attention_statistics(weights):
    seen = weights.where(weights >= 1e-4, torch.zeros(()).to(weights.dtype))
    entropy = torch.special.entr(seen).sum(-1).mean(-1)
    return entropy, weights.sum(1).mean(0), weights.diagonal(dim1=1, dim2=2).mean(0)
