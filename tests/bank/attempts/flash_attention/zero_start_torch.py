"""Maximum, sum and output start at zero."""
# causes: maximum_starts_at_zero, blind_row_nan

import torch


def flash_attention(q, k, v, block_size, causal=False):
    L, S, D = q.shape[-2], k.shape[-2], q.shape[-1]
    m = torch.zeros_like(q[..., :1])
    l = torch.zeros_like(q[..., :1])
    o = torch.zeros(*q.shape[:-1], v.shape[-1], dtype=q.dtype)
    for start in range(0, S, block_size):
        kb, vb = k[..., start : start + block_size, :], v[..., start : start + block_size, :]
        s = q @ kb.transpose(-1, -2) / D**0.5
        if causal:
            j = torch.arange(start, start + kb.shape[-2])
            s = s.masked_fill(j > torch.arange(L)[:, None] + S - L, float("-inf"))
        m_new = torch.maximum(m, s.amax(-1, keepdim=True))
        p = torch.exp(s - m_new)
        alpha = torch.exp(m - m_new)
        l = l * alpha + p.sum(-1, keepdim=True)
        o = o * alpha + p @ vb
        m = m_new
    return o / l
