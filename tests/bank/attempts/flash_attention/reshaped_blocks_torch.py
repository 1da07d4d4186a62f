"""Keys as (number of blocks, block size, D)."""
# causes: blocks_must_divide

import torch


def flash_attention(q, k, v, block_size, causal=False):
    L, S, D = q.shape[-2], k.shape[-2], q.shape[-1]
    kb = k.reshape(*k.shape[:-2], S // block_size, block_size, D)
    vb = v.reshape(*v.shape[:-2], S // block_size, block_size, v.shape[-1])
    m = torch.full_like(q[..., :1], -1e30)
    l = torch.zeros_like(q[..., :1])
    o = torch.zeros(*q.shape[:-1], v.shape[-1], dtype=q.dtype)
    for b in range(S // block_size):
        s = q @ kb[..., b, :, :].mT / D**0.5
        if causal:
            j = torch.arange(b * block_size, (b + 1) * block_size)
            s = s.masked_fill(j > torch.arange(L)[:, None] + S - L, -float("inf"))
        m_new = torch.maximum(m, s.amax(-1, keepdim=True))
        p, alpha = torch.exp(s - m_new), torch.exp(m - m_new)
        l = l * alpha + p.sum(-1, keepdim=True)
        o = o * alpha + p @ vb[..., b, :, :]
        m = m_new
    return o / l.clamp(min=1e-30)
