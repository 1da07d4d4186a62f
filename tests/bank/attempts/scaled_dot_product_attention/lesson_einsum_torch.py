"""Einsum with dots for the leading sizes."""
# causes: none

import torch
import torch.nn.functional as F


def scaled_dot_product_attention(
    q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, scale: float | None = None
):
    if scale is None:
        scale = q.shape[-1] ** -0.5
    scores = torch.einsum("...ld,...sd->...ls", q, k) * scale
    weights = F.softmax(scores, dim=-1)
    return torch.einsum("...ls,...sv->...lv", weights, v), weights
