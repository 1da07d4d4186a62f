"""With no scale given, leave the products as they are."""
# causes: no_scale

import torch


def scaled_dot_product_attention(
    q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, scale: float | None = None
):
    scores = q @ k.transpose(-2, -1)
    if scale is not None:
        scores = scores * scale
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, weights
