"""Wrong: right values, but the caller's padding mask comes back inverted."""
import numpy as np


def masked_attention(q, k, v, padding_mask=None, causal=False):
    L, S, D = q.shape[1], k.shape[1], q.shape[2]
    scores = q @ k.transpose(0, 2, 1) / D**0.5
    hidden = np.zeros(scores.shape, bool)
    if padding_mask is not None:
        np.logical_not(padding_mask, out=padding_mask)
        hidden |= padding_mask[:, None]
    if causal:
        hidden |= ~np.tri(L, S, S - L, dtype=bool)
    scores = np.where(hidden, np.finfo(q.dtype).min, scores)
    e = np.where(hidden, 0, np.exp(scores - scores.max(-1, keepdims=True)))
    total = e.sum(-1, keepdims=True)
    w = e / np.where(total == 0, 1, total)
    return w @ v, w
