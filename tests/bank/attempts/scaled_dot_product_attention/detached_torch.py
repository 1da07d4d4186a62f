"""The weights are only for looking at, so detach them."""
# causes: other: the returned weights are detached

import math

import torch
import torch.nn.functional as F


def scaled_dot_product_attention(
    q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, scale: float | None = None
):
    scale = 1 / math.sqrt(q.size(-1)) if scale is None else scale
    weights = F.softmax(q @ k.transpose(-2, -1) * scale, dim=-1)
    return weights @ v, weights.detach()
