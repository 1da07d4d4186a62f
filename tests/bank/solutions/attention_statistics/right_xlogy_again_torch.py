"""In another style: xlogy."""

import torch


def attention_statistics(w):
    h = -torch.special.xlogy(w, w).sum(-1).mean(-1)
    n = min(w.shape[1:])
    return h, w.mean(0).sum(0), torch.stack([w[:, i, i].mean() for i in range(n)])
