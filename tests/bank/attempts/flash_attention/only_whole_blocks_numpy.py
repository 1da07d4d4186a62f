"""As many blocks as fit."""
# causes: last_block_left_out

import math

import numpy as np


def flash_attention(q, k, v, block_size, causal=False):
    L, S = q.shape[-2], k.shape[-2]
    i = np.arange(L).reshape(L, 1)
    low = np.finfo(q.dtype).min
    m = np.full(q.shape[:-1] + (1,), low, dtype=q.dtype)
    l = np.zeros_like(m)
    o = np.zeros(q.shape[:-1] + (v.shape[-1],), dtype=q.dtype)
    for start in range(0, S - block_size + 1, block_size):
        ks, vs = k[..., start : start + block_size, :], v[..., start : start + block_size, :]
        s = np.einsum("...ld,...sd->...ls", q, ks) / math.sqrt(q.shape[-1])
        if causal:
            j = start + np.arange(ks.shape[-2])
            s = np.where(j <= i + (S - L), s, -np.inf)
        higher = np.maximum(m, s.max(axis=-1, keepdims=True))
        c, p = np.exp(m - higher), np.exp(s - higher)
        l = l * c + p.sum(axis=-1, keepdims=True)
        o = o * c + p @ vs
        m = higher
    return o / np.where(l > 0, l, 1)
