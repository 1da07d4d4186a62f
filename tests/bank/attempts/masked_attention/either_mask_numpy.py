"""A key is seen when one of the two masks allows it."""
# causes: padding_or_causal

import numpy as np


def masked_attention(q, k, v, padding_mask=None, causal=False):
    L, S, D = q.shape[1], k.shape[1], q.shape[2]
    scores = q @ np.swapaxes(k, 1, 2) / np.sqrt(D)
    allowed = np.zeros(scores.shape, bool)
    if padding_mask is None and not causal:
        allowed[:] = True
    if padding_mask is not None:
        allowed |= padding_mask[:, None, :]
    if causal:
        i, j = np.arange(L)[:, None], np.arange(S)
        allowed |= j <= i + S - L
    scores = np.where(allowed, scores, -np.inf)
    m = np.max(scores, axis=-1, keepdims=True)
    m[np.isneginf(m)] = 0
    e = np.exp(scores - m)
    s = e.sum(-1, keepdims=True)
    s[s == 0] = 1
    weights = e / s
    return weights @ v, weights
