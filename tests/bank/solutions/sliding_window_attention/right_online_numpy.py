import numpy as np


def sliding_window_attention(q, k, v, window):
    # one neighbour after the other, with a running maximum
    n, d = q.shape[-2:]
    m = np.full((*q.shape[:-1], 1), -np.inf)
    total, out = np.zeros_like(m), np.zeros((*q.shape[:-1], v.shape[-1]))
    w = min(window, n - 1)
    for o in sorted(range(-w, w + 1), key=abs):
        j = np.clip(np.arange(n) + o, 0, n - 1)
        s = (q * k[..., j, :]).sum(-1, keepdims=True) / np.sqrt(d)
        s = np.where((j == np.arange(n) + o)[:, None], s, -np.inf)
        new = np.maximum(m, s)
        p, a = np.exp(s - new), np.exp(m - new)
        total, out, m = total * a + p, out * a + p * v[..., j, :], new
    return (out / total).astype(q.dtype)
