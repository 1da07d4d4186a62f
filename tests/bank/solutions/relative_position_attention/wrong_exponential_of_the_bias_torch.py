"""The bias is a factor after the exponential, and a large one overflows."""

import math

import torch
from torch import nn


class RelativePositionAttention(nn.Module):
    """Multi-head attention whose scores know how far apart two tokens are."""

    def __init__(self, d_model: int, num_heads: int, max_distance: int):
        super().__init__()
        self.max_distance = max_distance
        self.rel_pos_bias = nn.Embedding(2 * max_distance + 1, num_heads)

    def forward(
        self,
        q: torch.Tensor,
        k: torch.Tensor,
        v: torch.Tensor,
        mask: torch.Tensor | None = None,
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Attend with a bias for each distance and head."""
        m, n = self.max_distance, q.shape[2]
        place = torch.arange(n, device=q.device)
        rows = (place[None, :] - place[:, None]).clamp(-m, m) + m
        factor = torch.exp(self.rel_pos_bias.weight)[rows].permute(2, 0, 1)
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
        if mask is not None:
            scores = scores.masked_fill(~mask, float("-inf"))
        peak = scores.detach().amax(dim=-1, keepdim=True)
        e = torch.exp(scores - peak.masked_fill(peak == float("-inf"), 0.0)) * factor
        total = e.sum(dim=-1, keepdim=True)
        weights = e / total.masked_fill(total == 0, 1.0)
        return weights @ v, weights
