"""Flattens the batch into one long sequence, so every example reads from all of them."""

import torch.nn.functional as F


def linear_attention(q, k, v):
    q, k = F.elu(q) + 1, F.elu(k) + 1
    keys, values = k.reshape(-1, k.shape[-1]), v.reshape(-1, v.shape[-1])
    return q @ (keys.T @ values) / (q @ keys.sum(dim=0).unsqueeze(-1))
