"""Breaks "A query that sees nothing gets zeros" with leading sizes: zeros are written along the FIRST axis.
Shows with causal, q of shape (3, 4, D), k of shape (3, 2, D): examples 0 and 1 are all zero."""
import math

import torch


def flash_attention(
    q: torch.Tensor, k: torch.Tensor, v: torch.Tensor, block_size: int, causal: bool = False
) -> torch.Tensor:
    L, D = q.shape[-2:]
    S = k.shape[-2]
    m = q.new_full((*q.shape[:-1], 1), -math.inf)
    l = torch.zeros_like(m)
    o = q.new_zeros(*q.shape[:-1], v.shape[-1])
    rows = torch.arange(L)[:, None] + (S - L)
    for a in range(0, S, block_size):
        b = min(a + block_size, S)
        s = q @ k[..., a:b, :].mT / math.sqrt(D)
        if causal:
            s = s.masked_fill(torch.arange(a, b) > rows, -math.inf)
        new = torch.maximum(m, s.amax(-1, keepdim=True))
        base = torch.where(new == -math.inf, torch.zeros_like(new), new)
        p = torch.exp(s - base)
        alpha = torch.exp(m - base)
        l = l * alpha + p.sum(-1, keepdim=True)
        o = o * alpha + p @ v[..., a:b, :]
        m = new
    out = o / l.clamp_min(1e-30)
    if causal and L > S:
        out[: L - S] = 0
    return out
