"""A batch of sentences, so bmm."""
# causes: axes_counted_from_the_front, zero_scale_taken_for_none

import torch
import torch.nn.functional as F


def scaled_dot_product_attention(
    q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, scale: float | None = None
):
    scale = scale if scale else q.shape[-1] ** -0.5
    scores = torch.bmm(q, k.transpose(1, 2)) * scale
    weights = F.softmax(scores, dim=2)
    return torch.bmm(weights, v), weights
