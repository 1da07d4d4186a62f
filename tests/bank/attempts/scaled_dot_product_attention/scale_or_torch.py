"""The default scale with or."""
# causes: zero_scale_taken_for_none

import math

import torch
import torch.nn.functional as F


def scaled_dot_product_attention(
    q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, scale: float | None = None
):
    scale = scale or 1 / math.sqrt(q.size(-1))
    scores = q @ k.transpose(-2, -1) * scale
    weights = F.softmax(scores, dim=-1)
    return weights @ v, weights
