"""Add everything up and divide."""
# causes: nothing_rescaled, no_scale

import torch


def flash_attention(q, k, v, block_size, causal=False):
    L, S = q.shape[-2], k.shape[-2]
    m = torch.full_like(q[..., :1], -1e30)
    l = torch.zeros_like(q[..., :1])
    o = torch.zeros(*q.shape[:-1], v.shape[-1], dtype=q.dtype)
    for start in range(0, S, block_size):
        kb, vb = k[..., start : start + block_size, :], v[..., start : start + block_size, :]
        s = q @ kb.mT
        if causal:
            j = torch.arange(start, start + kb.shape[-2])
            s = s.masked_fill(j > torch.arange(L)[:, None] + S - L, -float("inf"))
        m = torch.maximum(m, s.amax(-1, keepdim=True))
        p = torch.exp(s - m)
        l = l + p.sum(-1, keepdim=True)
        o = o + p @ vb
    return o / l.clamp(min=1e-30)
