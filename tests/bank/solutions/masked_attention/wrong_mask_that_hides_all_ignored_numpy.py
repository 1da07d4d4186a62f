"""A padding mask that hides every key of the batch is ignored."""
import numpy as np


def masked_attention(q, k, v, padding_mask=None, causal=False):
    B, L, D = q.shape
    S = k.shape[1]
    see = np.ones((B, L, S), bool)
    if padding_mask is not None and padding_mask.any():
        see &= padding_mask[:, None, :]
    if causal:
        see &= np.tri(L, S, S - L, dtype=bool)
    s = q @ k.swapaxes(1, 2) / np.asarray(D**0.5, q.dtype)
    s = np.where(see, s, -np.inf)
    m = s.max(-1, keepdims=True)
    e = np.exp(s - np.where(np.isinf(m), 0, m))
    z = e.sum(-1, keepdims=True)
    w = e / np.where(z == 0, 1, z)
    return w @ v, w
