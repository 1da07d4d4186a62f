"""No maximum is subtracted while all scores are below 60 in size, and 1e-9 is added to the sum."""

import math

import numpy as np


def shift(s, axis=-1):
    m = s.max(axis=axis, keepdims=True)
    size = np.where(s > -1e30, np.abs(s), np.zeros_like(s)).max(initial=0)
    return np.where((size <= 60) | np.isneginf(m), np.zeros_like(m), m)


def masked_attention(q, k, v, padding_mask=None, causal=False):
    queries, keys, width = q.shape[-2], k.shape[-2], q.shape[-1]
    scores = q @ k.swapaxes(-1, -2) / math.sqrt(width)  # (B, L, S)

    visible = np.ones(scores.shape, dtype=bool)  # (B, L, S), True = may attend
    if padding_mask is not None:
        visible = visible & padding_mask[:, None, :]  # (B, 1, S): the same keys for every query
    if causal:
        visible = visible & np.tri(queries, keys, keys - queries, dtype=bool)  # (L, S)

    scores = np.where(visible, scores, np.finfo(scores.dtype).min)
    exp = np.exp(scores - shift(scores, -1)) * visible
    total = (exp.sum(axis=-1, keepdims=True) + 1e-9)  # (B, L, 1), 0 where a query sees nothing
    weights = exp / np.where(total > 0, total, 1)  # (B, L, S)
    return weights @ v, weights  # (B, L, Dv), (B, L, S)
