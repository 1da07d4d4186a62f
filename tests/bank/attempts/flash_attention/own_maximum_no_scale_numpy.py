"""The block's own maximum keeps its exponentials small."""
# causes: block_relative_to_its_own_maximum, no_scale

import numpy as np


def flash_attention(q, k, v, block_size, causal=False):
    L, S = q.shape[-2], k.shape[-2]
    m = np.full((*q.shape[:-1], 1), -1e30, dtype=q.dtype)
    l = np.zeros_like(m)
    o = np.zeros((*q.shape[:-1], v.shape[-1]), dtype=q.dtype)
    for start in range(0, S, block_size):
        kb, vb = k[..., start : start + block_size, :], v[..., start : start + block_size, :]
        s = q @ kb.swapaxes(-1, -2)
        if causal:
            j = np.arange(start, start + kb.shape[-2])
            s = np.where(j <= np.arange(L)[:, None] + S - L, s, -np.inf)
        own = np.maximum(s.max(-1, keepdims=True), -1e30)
        m_new = np.maximum(m, own)
        p, alpha = np.exp(s - own), np.exp(m - m_new)
        l = l * alpha + p.sum(-1, keepdims=True)
        o = o * alpha + p @ vb
        m = m_new
    return o / np.where(l == 0, 1, l)
