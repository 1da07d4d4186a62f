"""Scores laid out (S, L) with the softmax over axis -2, transposed back: non-contiguous results."""
import math

import torch


def scaled_dot_product_attention(q, k, v, scale=None):
    if scale is None:
        scale = 1.0 / math.sqrt(k.shape[-1])
    w = torch.softmax(scale * (k @ q.transpose(-1, -2)), dim=-2)
    return (v.transpose(-1, -2) @ w).transpose(-1, -2), w.transpose(-1, -2)
