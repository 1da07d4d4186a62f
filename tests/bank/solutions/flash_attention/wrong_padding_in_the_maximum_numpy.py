"""The last block is filled up with keys of zeros, whose score of 0 counts in the maximum."""

import numpy as np


def flash_attention(q, k, v, block_size, causal=False):
    L, D = q.shape[-2:]
    S, Dv = v.shape[-2:]
    bs = min(block_size, S)
    pad = -S % bs
    m = np.full(q.shape[:-1] + (1,), -np.inf, q.dtype)
    l = np.zeros_like(m)
    o = np.zeros(q.shape[:-1] + (Dv,), q.dtype)
    w = [(0, 0)] * (q.ndim - 2)
    for c in range(0, S, bs):
        e = min(c + bs, S)
        n = e - c
        kb = np.pad(k[..., c:e, :], w + [(0, bs - n), (0, 0)])
        vb = np.pad(v[..., c:e, :], w + [(0, bs - n), (0, 0)])
        s = q @ np.swapaxes(kb, -1, -2) * q.dtype.type(D**-0.5)
        j = np.arange(c, c + bs)
        if causal:
            s = np.where(j > np.arange(L)[:, None] + S - L, -np.inf, s).astype(q.dtype)
        new = np.maximum(m, s.max(-1, keepdims=True))
        safe = np.where(np.isfinite(new), new, 0)
        p, al = np.exp(s - safe) * (j < S).astype(q.dtype), np.exp(m - safe)
        l, o, m = l * al + p.sum(-1, keepdims=True), o * al + p @ vb, new
    return o / np.where(l == 0, 1, l)
