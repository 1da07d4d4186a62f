"""In another style: vmap."""

import torch


def one(q, k, v):
    w = torch.softmax(k @ q / q.shape[0] ** 0.5, 0)
    return w @ v, w


def batch_attention(queries, keys, values):
    return torch.vmap(one, in_dims=(0, None, None))(queries, keys, values)
