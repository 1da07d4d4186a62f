"""For every query its slice of keys."""
# causes: too_many_steps

import numpy as np


def sliding_window_attention(q, k, v, window):
    n, d = q.shape[-2:]
    out = np.zeros(v.shape, dtype=v.dtype)
    for i in range(n):
        lo, hi = max(0, i - window), min(n, i + window + 1)
        s = np.einsum("...d,...jd->...j", q[..., i, :], k[..., lo:hi, :]) / d**0.5
        e = np.exp(s - s.max(-1, keepdims=True))
        e /= e.sum(-1, keepdims=True)
        out[..., i, :] = np.einsum("...j,...jv->...v", e, v[..., lo:hi, :])
    return out
