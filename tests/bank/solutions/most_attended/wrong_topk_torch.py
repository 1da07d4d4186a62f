"""topk: short and nearly right, but it promises no order among equal weights."""

import torch


def most_attended(x, k):
    weights = torch.softmax(x @ x.T / x.shape[1] ** 0.5, dim=-1)
    best = torch.topk(weights, k, dim=-1)
    return best.indices, best.values
