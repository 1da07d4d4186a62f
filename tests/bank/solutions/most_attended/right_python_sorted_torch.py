"""In another style: python sorted."""

import torch


def most_attended(x, k):
    if not x.is_floating_point():
        x = x.float()
    w = torch.softmax(x @ x.T / x.shape[1] ** 0.5, -1)
    top = torch.sort(w, dim=-1, descending=True, stable=True)
    return top.indices[:, :k], top.values[:, :k]
