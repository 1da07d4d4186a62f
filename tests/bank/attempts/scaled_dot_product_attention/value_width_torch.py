"""d_k is the width of the values."""
# causes: root_of_value_width, results_exchanged

import math

import torch


def scaled_dot_product_attention(
    q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, scale: float | None = None
):
    scale = 1 / math.sqrt(v.size(-1)) if scale is None else scale
    weights = torch.softmax(q @ k.mT * scale, dim=-1)
    return weights, weights @ v
