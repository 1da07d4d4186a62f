"""A list comprehension over the queries: right and slow."""
import torch


def batch_attention(queries, keys, values):
    w = torch.stack([torch.softmax((keys * q).sum(1) / q.shape[0] ** 0.5, 0) for q in queries])
    return w @ values, w
