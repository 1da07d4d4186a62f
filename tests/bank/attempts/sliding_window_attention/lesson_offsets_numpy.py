"""One offset at a time, with slices that fit."""
# causes: none

import numpy as np


def sliding_window_attention(q, k, v, window):
    n, d = q.shape[-2:]
    w = min(window, n - 1)
    s = np.full((*q.shape[:-1], 2 * w + 1), -np.inf, dtype=q.dtype)
    spans = []
    for o in range(-w, w + 1):
        i = slice(max(0, -o), n - max(0, o))
        j = slice(max(0, o), n - max(0, -o))
        spans.append((i, j))
        s[..., i, o + w] = (q[..., i, :] * k[..., j, :]).sum(-1) / np.sqrt(d)
    p = np.exp(s - s.max(-1, keepdims=True))
    p /= p.sum(-1, keepdims=True)
    out = np.zeros(v.shape, dtype=v.dtype)
    for o, (i, j) in enumerate(spans):
        out[..., i, :] += p[..., i, o, None] * v[..., j, :]
    return out
