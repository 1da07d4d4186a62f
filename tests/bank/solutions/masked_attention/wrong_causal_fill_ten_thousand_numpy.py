"""A padding mask that is fine, a causal mask filled with -10 000, which a lone score may equal."""
import numpy as np


def masked_attention(q, k, v, padding_mask=None, causal=False):
    s = q @ k.swapaxes(1, 2) / q.dtype.type(q.shape[-1] ** 0.5)
    L, S = s.shape[1:]
    seen = np.ones(s.shape, bool)
    if padding_mask is not None:
        seen &= padding_mask[:, None]
    s = np.where(seen, s, np.finfo(s.dtype).min)
    if causal:
        m = np.tri(L, S, S - L, dtype=bool)
        s = np.where(m, s, s.dtype.type(-1e4))
        seen &= m
    e = np.exp(s - s.max(-1, keepdims=True))
    w = e / e.sum(-1, keepdims=True)
    w = np.where(seen.any(-1, keepdims=True), w, 0).astype(s.dtype)
    return w @ v, w
