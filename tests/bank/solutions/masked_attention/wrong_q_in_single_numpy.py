"""Double precision in and out, but q passes through float32."""
import numpy as np


def masked_attention(q, k, v, padding_mask=None, causal=False):
    q = q.astype(np.float32).astype(q.dtype)
    L, S, D = q.shape[1], k.shape[1], q.shape[2]
    s = q @ k.swapaxes(1, 2) / D**0.5
    seen = np.ones(s.shape, bool)
    if padding_mask is not None:
        seen &= padding_mask[:, None]
    if causal:
        seen &= np.tri(L, S, S - L, dtype=bool)
    s = np.where(seen, s, np.finfo(s.dtype).min)
    top = s.max(-1, keepdims=True)
    e = np.exp(s - top) * seen
    t = e.sum(-1, keepdims=True)
    w = e / np.where(t > 0, t, 1)
    return w @ v, w
