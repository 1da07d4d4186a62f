"""More than two leading sizes are folded into one, and stay so."""
import numpy as np


def sliding_window_attention(q, k, v, window):
    shape = v.shape
    if q.ndim > 4:
        q, k, v = (t.reshape(-1, *t.shape[-3:]) for t in (q, k, v))
    n, d = q.shape[-2:]
    w = min(int(window), n - 1)
    pad = [(0, 0)] * (q.ndim - 2) + [(w, w), (0, 0)]
    kk, vv = np.pad(k, pad), np.pad(v, pad)
    ok = np.pad(np.ones(n, bool), w)
    s = np.stack([np.where(ok[t : t + n], (q * kk[..., t : t + n, :]).sum(-1) / np.sqrt(d).astype(q.dtype), -np.inf) for t in range(2 * w + 1)], -1)
    s = np.exp(s - s.max(-1, keepdims=True))
    s = s / s.sum(-1, keepdims=True)
    return sum(s[..., t, None] * vv[..., t : t + n, :] for t in range(2 * w + 1))
