"""Wrong: in self-attention it also blanks the rows of the queries that stand on padding."""
import numpy as np


def masked_attention(q, k, v, padding_mask=None, causal=False):
    L, S, D = q.shape[1], k.shape[1], q.shape[2]
    scores = q @ k.transpose(0, 2, 1) / D**0.5
    seen = np.ones(scores.shape, bool)
    if padding_mask is not None:
        seen &= padding_mask[:, None]
        if L == S:
            seen &= padding_mask[:, :, None]
    if causal:
        seen &= np.tri(L, S, S - L, dtype=bool)
    scores = np.where(seen, scores, np.finfo(q.dtype).min)
    e = np.exp(scores - scores.max(-1, keepdims=True)) * seen
    total = e.sum(-1, keepdims=True)
    w = e / np.where(total == 0, 1, total)
    return w @ v, w
