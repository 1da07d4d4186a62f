"""Gated linear attention, chunk by chunk, in products of gates (Yang et al. 2023, section 4)."""

import torch


def gated_linear_attention(q, k, v, gates, chunk):
    """q, k, gates (B, H, n, D), v (B, H, n, Dv) -> (B, H, n, Dv)."""
    B, H, n, D = q.shape
    memory = v.new_zeros(B, H, D, v.shape[-1])
    output = []
    for start in range(0, n, chunk):
        part = slice(start, start + chunk)
        query, key, value = q[:, :, part], k[:, :, part], v[:, :, part]  # (B, H, C, ...)
        gate = gates[:, :, part]

        since = gate.cumprod(dim=2)  # (B, H, C, D), all gates of the chunk so far
        C = gate.shape[2]
        later = torch.ones(C, C, dtype=torch.bool).tril(-1)[:, :, None]  # (C, C, 1), i > j
        fade = torch.where(later, gate[:, :, :, None], 1).cumprod(dim=2)  # (B, H, C, C, D), j to i
        scores = torch.einsum("bhid,bhijd,bhjd->bhij", query, fade, key)
        inside = scores.tril() @ value  # what a token reads of its own chunk

        before = (query * since) @ memory
        output.append(inside + before)
        kept = since[:, :, -1, :, None]  # (B, H, D, 1), of the memory after the chunk
        memory = kept * memory + (key * fade[:, :, -1]).transpose(-2, -1) @ value
    return torch.cat(output, dim=2)
