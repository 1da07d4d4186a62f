"""The annotated transformer, without mask."""
# causes: none

import math

import torch


def scaled_dot_product_attention(
    q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, scale: float | None = None
):
    d_k = q.size(-1)
    scores = torch.matmul(q, k.transpose(-2, -1))
    scores = scores / math.sqrt(d_k) if scale is None else scores * scale
    weights = scores.softmax(dim=-1)
    return torch.matmul(weights, v), weights
