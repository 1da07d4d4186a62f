"""Key j is hidden from query i when j > i."""
# causes: aligned_to_the_start

import torch


def flash_attention(q, k, v, block_size, causal=False):
    scale = q.shape[-1] ** -0.5
    m = torch.full_like(q[..., :1], float("-inf"))
    l = torch.zeros_like(q[..., :1])
    o = torch.zeros(*q.shape[:-1], v.shape[-1], dtype=q.dtype)
    i = torch.arange(q.shape[-2])[:, None]
    for start in range(0, k.shape[-2], block_size):
        kb, vb = k[..., start : start + block_size, :], v[..., start : start + block_size, :]
        s = q @ kb.mT * scale
        if causal:
            j = start + torch.arange(kb.shape[-2])
            s = s.masked_fill(j > i, float("-inf"))
        m_new = torch.maximum(m, s.amax(-1, keepdim=True))
        p, alpha = torch.exp(s - m_new), torch.exp(m - m_new)
        l = l * alpha + p.sum(-1, keepdim=True)
        o = o * alpha + p @ vb
        m = m_new
    return o / l
