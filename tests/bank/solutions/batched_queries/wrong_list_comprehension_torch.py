"""Right numbers, one query at a time."""
import torch


def batch_attention(queries, keys, values):
    w = torch.stack([torch.softmax(keys @ q / q.shape[0] ** 0.5, 0) for q in queries])
    return w @ values, w
