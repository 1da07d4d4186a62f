"""The output stays normalised: blocks are merged by their log-sum-exp."""
# causes: none

import math

import torch


def flash_attention(q, k, v, block_size, causal=False):
    L, S = q.shape[-2], k.shape[-2]
    out = torch.zeros(*q.shape[:-1], v.shape[-1], dtype=q.dtype)
    m = torch.full((*q.shape[:-1], 1), -math.inf, dtype=q.dtype)
    l = torch.zeros_like(m)
    for start in range(0, S, block_size):
        kb, vb = k[..., start : start + block_size, :], v[..., start : start + block_size, :]
        s = torch.einsum("...ld,...sd->...ls", q, kb) / math.sqrt(q.shape[-1])
        if causal:
            hidden = torch.ones(L, S, dtype=torch.bool).triu(S - L + 1)
            s = s.masked_fill(hidden[:, start : start + block_size], -math.inf)
        new = torch.maximum(m, s.max(-1, keepdim=True).values)
        base = new.masked_fill(new == -math.inf, 0.0)
        p, old = torch.exp(s - base), l * torch.exp(m - base)
        l = old + p.sum(-1, keepdim=True)
        out = (out * old + p @ vb) / l.masked_fill(l == 0, 1.0)
        m = new
    return out
