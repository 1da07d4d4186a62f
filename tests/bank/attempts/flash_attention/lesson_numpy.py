"""The three formulas, with a block of keys at a time."""
# causes: none

import numpy as np


def flash_attention(q, k, v, block_size, causal=False):
    L, S = q.shape[-2], k.shape[-2]
    q = q / np.sqrt(q.shape[-1]).astype(q.dtype)
    m = np.full(q.shape[:-1] + (1,), -np.inf, dtype=q.dtype)
    l = np.zeros_like(m)
    o = np.zeros(q.shape[:-1] + (v.shape[-1],), dtype=q.dtype)
    for start in range(0, S, block_size):
        end = min(start + block_size, S)
        s = q @ np.swapaxes(k[..., start:end, :], -1, -2)
        if causal:
            i, j = np.arange(L)[:, None], np.arange(start, end)[None, :]
            s = np.where(j <= i + S - L, s, -np.inf)
        m_new = np.maximum(m, s.max(-1, keepdims=True))
        safe = np.where(np.isinf(m_new), 0, m_new)
        p = np.exp(s - safe)
        alpha = np.exp(m - safe)
        l = l * alpha + p.sum(-1, keepdims=True)
        o = o * alpha + p @ v[..., start:end, :]
        m = m_new
    return np.where(l > 0, o / np.maximum(l, 1e-30), 0)
