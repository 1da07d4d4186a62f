"""Nearer than the window."""
# causes: window_too_small, no_scale

import numpy as np


def sliding_window_attention(q, k, v, window):
    n, d = q.shape[-2:]
    out = []
    for a in range(0, n, 64):
        b = min(a + 64, n)
        lo, hi = max(0, a - window), min(n, b + window)
        s = q[..., a:b, :] @ k[..., lo:hi, :].swapaxes(-1, -2)
        gap = abs(np.arange(a, b)[:, None] - np.arange(lo, hi))
        s = np.where(gap < max(window, 1), s, -np.inf)
        e = np.exp(s - s.max(-1, keepdims=True))
        out.append(e / e.sum(-1, keepdims=True) @ v[..., lo:hi, :])
    return np.concatenate(out, axis=-2)
