import numpy as np


def sliding_window_attention(q, k, v, window):
    n, d = q.shape[-2:]
    parts = []
    for a in range(0, n, 64):
        b = min(n, a + 64)
        lo, hi = max(0, a - window), min(n, b + window)
        s = q[..., a:b, :] @ k[..., lo:hi, :].swapaxes(-1, -2) / d**0.5
        near = abs(np.arange(a, b)[:, None] - np.arange(lo, hi)) <= window
        near[0] &= np.arange(lo, hi) <= a if a else True
        s = np.where(near, s, -np.inf)
        e = np.exp(s - s.max(-1, keepdims=True))
        parts.append(e / e.sum(-1, keepdims=True) @ v[..., lo:hi, :])
    return np.concatenate(parts, axis=-2)
