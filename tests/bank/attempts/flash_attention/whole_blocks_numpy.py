"""S // block_size blocks."""
# causes: last_block_left_out, blind_row_nan

import numpy as np


def flash_attention(q, k, v, block_size, causal=False):
    L, S, D = q.shape[-2], k.shape[-2], q.shape[-1]
    m = np.full((*q.shape[:-1], 1), -np.inf, dtype=q.dtype)
    l = np.zeros_like(m)
    o = np.zeros((*q.shape[:-1], v.shape[-1]), dtype=q.dtype)
    for b in range(S // block_size):
        cols = slice(b * block_size, (b + 1) * block_size)
        s = q @ k[..., cols, :].swapaxes(-1, -2) / D**0.5
        if causal:
            seen = np.arange(S)[cols] <= np.arange(L)[:, None] + S - L
            s = np.where(seen, s, -np.inf)
        m_new = np.maximum(m, s.max(-1, keepdims=True))
        p, alpha = np.exp(s - m_new), np.exp(m - m_new)
        l = l * alpha + p.sum(-1, keepdims=True)
        o = o * alpha + p @ v[..., cols, :]
        m = m_new
    return o / l
