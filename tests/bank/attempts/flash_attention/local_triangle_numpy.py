"""A triangle for each block of scores."""
# causes: positions_within_the_block, aligned_to_the_start

import numpy as np


def flash_attention(q, k, v, block_size, causal=False):
    D, S = q.shape[-1], k.shape[-2]
    m = np.full((*q.shape[:-1], 1), -1e30, dtype=q.dtype)
    l = np.zeros_like(m)
    o = np.zeros((*q.shape[:-1], v.shape[-1]), dtype=q.dtype)
    for start in range(0, S, block_size):
        kb, vb = k[..., start : start + block_size, :], v[..., start : start + block_size, :]
        s = q @ kb.swapaxes(-1, -2) / D**0.5
        if causal:
            s = np.where(np.tri(*s.shape[-2:], dtype=bool), s, -np.inf)
        m_new = np.maximum(m, s.max(-1, keepdims=True))
        p = np.exp(s - m_new)
        alpha = np.exp(m - m_new)
        l = l * alpha + p.sum(-1, keepdims=True)
        o = o * alpha + p @ vb
        m = m_new
    return o / np.where(l == 0, 1, l)
