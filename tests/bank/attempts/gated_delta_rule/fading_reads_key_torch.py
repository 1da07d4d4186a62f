"""Interpolate, and read with the key."""
# causes: whole_memory_fades, read_with_the_key

import torch


def delta_rule(q, k, v, beta) -> torch.Tensor:
    B, H, n, D = q.shape
    M = torch.zeros(B, H, D, v.size(-1), dtype=v.dtype)
    out = []
    for i in range(n):
        key = k[:, :, i].unsqueeze(-1)
        delta = beta[:, :, i].unsqueeze(-1) * v[:, :, i]
        M = (1 - beta[:, :, i, None, None]) * M + key @ delta.unsqueeze(2)
        out.append((k[:, :, i].unsqueeze(2) @ M).squeeze(2))
    return torch.stack(out, dim=2)
