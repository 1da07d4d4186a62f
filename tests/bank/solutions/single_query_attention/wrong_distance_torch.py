"""Keys near the query win, rather than keys with a large dot product."""
import torch


def attention(query, keys, values):
    w = torch.softmax(-((keys - query) ** 2).sum(1) / 2 / query.shape[0] ** 0.5, 0)
    return w @ values, w
