"""Axes of size 1 disappear."""
import torch.nn.functional as F


def linear_attention(q, k, v):
    q, k = F.elu(q) + 1, F.elu(k) + 1
    out = (q @ (k.mT @ v)) / (q @ k.sum(1)[..., None])
    return out.squeeze(-1)
