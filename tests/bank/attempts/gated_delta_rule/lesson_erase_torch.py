"""Erase, then write, as two terms."""
# causes: none

import torch


def delta_rule(q, k, v, beta) -> torch.Tensor:
    B, H, n, D = q.shape
    M = torch.zeros(B, H, D, v.size(-1), dtype=v.dtype)
    out = []
    for i in range(n):
        key, gate = k[:, :, i, :, None], beta[:, :, i, None, None]
        erased = gate * key * (key * M).sum(2, keepdim=True)
        M = M - erased + gate * key * v[:, :, i, None, :]
        out.append((q[:, :, i, :, None] * M).sum(2))
    return torch.stack(out, dim=2)
