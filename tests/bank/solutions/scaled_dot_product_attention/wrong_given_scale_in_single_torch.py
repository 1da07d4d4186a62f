"""A given scale goes through a float32 tensor."""

import math

import torch


def scaled_dot_product_attention(q, k, v, scale=None):
    """softmax(q kᵀ · scale) v, by default with scale = 1/√d (Vaswani et al. 2017, equation 1)."""
    d = q.shape[-1]
    if scale is None:
        scale = 1 / math.sqrt(d)
    else:
        scale = torch.tensor(float(scale))
    scores = q @ k.transpose(-2, -1) * scale  # (..., L, S)
    weights = torch.softmax(scores, dim=-1)  # (..., L, S)
    output = weights @ v  # (..., L, Dv)
    return output, weights
