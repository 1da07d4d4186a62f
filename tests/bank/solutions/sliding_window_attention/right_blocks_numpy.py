import numpy as np


def sliding_window_attention(q, k, v, window):
    n, d = q.shape[-2:]
    out = np.empty_like(v)
    size = max(64, 2 * min(window, n))
    for a in range(0, n, size):
        b = min(a + size, n)
        lo, hi = max(0, a - window), min(n, b + window)
        s = q[..., a:b, :] @ k[..., lo:hi, :].swapaxes(-1, -2) / np.sqrt(d)
        near = abs(np.arange(a, b)[:, None] - np.arange(lo, hi)) <= window
        s = np.where(near, s, -np.inf)
        e = np.exp(s - s.max(-1, keepdims=True))
        out[..., a:b, :] = e / e.sum(-1, keepdims=True) @ v[..., lo:hi, :]
    return out
