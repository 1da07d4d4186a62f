"""Wrong: turns the padding mask into lengths, as if padding were always at the end."""
import numpy as np


def masked_attention(q, k, v, padding_mask=None, causal=False):
    L, S, D = q.shape[1], k.shape[1], q.shape[2]
    scores = q @ k.transpose(0, 2, 1) / D**0.5
    seen = np.ones(scores.shape, bool)
    if padding_mask is not None:
        seen &= (np.arange(S) < padding_mask.sum(1, keepdims=True))[:, None]
    if causal:
        seen &= np.tri(L, S, S - L, dtype=bool)
    scores = np.where(seen, scores, -1e30)
    e = np.exp(scores - scores.max(-1, keepdims=True)) * seen
    w = e / np.maximum(e.sum(-1, keepdims=True), 1e-30)
    return w.astype(q.dtype) @ v, w.astype(q.dtype)
