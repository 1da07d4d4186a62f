"""The sum is corrected when the maximum moves."""
# causes: output_not_rescaled, blind_row_nan

import numpy as np


def flash_attention(q, k, v, block_size, causal=False):
    L, S, D = q.shape[-2], k.shape[-2], q.shape[-1]
    m = np.full((*q.shape[:-1], 1), -np.inf, dtype=q.dtype)
    l = np.zeros_like(m)
    o = np.zeros((*q.shape[:-1], v.shape[-1]), dtype=q.dtype)
    for start in range(0, S, block_size):
        kb, vb = k[..., start : start + block_size, :], v[..., start : start + block_size, :]
        s = q @ kb.swapaxes(-1, -2) / D**0.5
        if causal:
            j = np.arange(start, start + kb.shape[-2])
            s = np.where(j[None, :] <= np.arange(L)[:, None] + S - L, s, -np.inf)
        m_new = np.maximum(m, s.max(-1, keepdims=True))
        p = np.exp(s - m_new)
        l = l * np.exp(m - m_new) + p.sum(-1, keepdims=True)
        o = o + p @ vb
        m = m_new
    return o / l
