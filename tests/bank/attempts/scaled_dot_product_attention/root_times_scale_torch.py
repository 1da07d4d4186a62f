"""Divide by the root and then multiply by the scale."""
# causes: scale_on_top

import math

import torch
import torch.nn.functional as F


def scaled_dot_product_attention(
    q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, scale: float | None = None
):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
    if scale is not None:
        scores = scores * scale
    weights = F.softmax(scores, dim=-1)
    return weights @ v, weights
