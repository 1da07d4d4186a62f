"""Blocks of 4096 queries."""
import torch


def batch_attention(queries, keys, values):
    rows = [torch.softmax(q @ keys.mT * keys.shape[1] ** -0.5, -1) for q in queries.split(4096)]
    return torch.cat([w @ values for w in rows]), torch.cat(rows)
