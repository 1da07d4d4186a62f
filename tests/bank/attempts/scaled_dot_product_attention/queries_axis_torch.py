"""Softmax over the rows."""
# causes: softmax_over_queries

import math

import torch
import torch.nn.functional as F


def scaled_dot_product_attention(
    q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, scale: float | None = None
):
    scale = 1 / math.sqrt(q.size(-1)) if scale is None else scale
    scores = q @ k.transpose(-2, -1) * scale
    weights = F.softmax(scores, dim=-2)
    return weights @ v, weights
