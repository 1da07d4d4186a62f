"""Blocks of 128 tokens with a triangle inside and a summary between."""
# causes: none

import torch
import torch.nn.functional as F


def causal_linear_attention(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    B, n, D = q.shape
    fq, fk = F.elu(q) + 1, F.elu(k) + 1
    kv = torch.zeros(B, D, v.size(-1), dtype=v.dtype)
    z = torch.zeros(B, D, 1, dtype=v.dtype)
    out = []
    for s in range(0, n, 128):
        bq, bk, bv = fq[:, s : s + 128], fk[:, s : s + 128], v[:, s : s + 128]
        w = torch.tril(bq @ bk.transpose(1, 2))
        out.append((w @ bv + bq @ kv) / (w.sum(-1, keepdim=True) + bq @ z))
        kv = kv + bk.transpose(1, 2) @ bv
        z = z + bk.sum(dim=1).unsqueeze(-1)
    return torch.cat(out, dim=1)
