"""Blocks from torch.split, a very low number in the place of minus infinity."""
# causes: none

import torch


def flash_attention(q, k, v, block_size, causal=False):
    L, S, D = q.size(-2), k.size(-2), q.size(-1)
    low = torch.finfo(q.dtype).min / 2
    m = torch.full_like(q[..., :1], low)
    l = torch.zeros_like(m)
    acc = torch.zeros(*q.shape[:-1], v.size(-1), dtype=q.dtype)
    pos = 0
    for kb, vb in zip(k.split(block_size, dim=-2), v.split(block_size, dim=-2)):
        n = kb.size(-2)
        s = q @ kb.mT / D**0.5
        keep = torch.ones(L, n, dtype=torch.bool)
        if causal:
            keep = torch.arange(pos, pos + n) <= torch.arange(L)[:, None] + S - L
        s = s.masked_fill(~keep, low)
        m_new = torch.maximum(m, s.amax(-1, keepdim=True))
        p = torch.exp(s - m_new) * keep
        alpha = torch.exp(m - m_new)
        l = alpha * l + p.sum(-1, keepdim=True)
        acc = alpha * acc + p @ vb
        m = m_new
        pos += n
    return acc / l.clamp(min=1e-20)
