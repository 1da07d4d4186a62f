"""Aligned to the start when there are more queries than keys."""
import numpy as np


def masked_attention(q, k, v, padding_mask=None, causal=False):
    s = q @ k.swapaxes(1, 2) / q.dtype.type(q.shape[-1] ** 0.5)
    L, S = s.shape[1:]
    seen = np.ones(s.shape, bool)
    if padding_mask is not None:
        seen &= padding_mask[:, None]
    if causal:
        seen &= np.tri(L, S, max(S - L, 0), dtype=bool)
    s = np.where(seen, s, np.finfo(s.dtype).min)
    e = np.exp(s - s.max(-1, keepdims=True)) * seen
    t = e.sum(-1, keepdims=True)
    w = e / np.where(t > 0, t, t.dtype.type(1))
    return w @ v, w
