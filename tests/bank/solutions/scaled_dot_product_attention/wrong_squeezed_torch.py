"""Sizes of 1 are squeezed away."""
import torch


def scaled_dot_product_attention(q, k, v, scale=None):
    s = q @ k.mT * (q.shape[-1] ** -0.5 if scale is None else scale)
    w = torch.softmax(s, dim=-1)
    return (w @ v).squeeze(), w.squeeze()
