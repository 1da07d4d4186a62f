"""Queries are expanded to the leading sizes of the keys."""

import torch


def scaled_dot_product_attention(q, k, v, scale=None):
    c = q.shape[-1] ** -0.5 if scale is None else scale
    if q.dim() == k.dim():
        lead = k.shape[:-2]
        q = q.expand(*lead, *q.shape[-2:])
    w = torch.softmax(q @ k.mT * c, -1)
    return w @ v, w
