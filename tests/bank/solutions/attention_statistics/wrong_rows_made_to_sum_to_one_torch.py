"""Rows that see something are made to sum to 1."""
import torch


def attention_statistics(weights):
    total = weights.sum(-1, keepdim=True)
    w = torch.where(total > 0, weights / total.clamp(min=1e-12), weights)
    return torch.special.entr(w).sum(-1).mean(-1), w.sum(1).mean(0), w.diagonal(dim1=1, dim2=2).mean(0)
