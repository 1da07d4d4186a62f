"""Scaled dot-product attention under a padding mask and a causal mask.

Vaswani et al. 2017, section 3.2. The causal mask is aligned to the end.
"""

import math

import numpy as np


def masked_attention(q, k, v, padding_mask=None, causal=False):
    queries, keys, width = q.shape[-2], k.shape[-2], q.shape[-1]
    scores = q @ k.swapaxes(-1, -2) / math.sqrt(width)  # (B, L, S)

    visible = np.ones(scores.shape, dtype=bool)  # (B, L, S), True = may attend
    if padding_mask is not None:
        visible = visible & padding_mask[:, None, :]  # (B, 1, S): the same keys for every query
    if causal:
        visible = visible & np.tri(queries, keys, keys - queries, dtype=bool)  # (L, S)

    scores = np.where(visible, scores, np.finfo(scores.dtype).min)
    exp = np.exp(scores - scores.max(axis=-1, keepdims=True)) * visible
    total = exp.sum(axis=-1, keepdims=True)  # (B, L, 1), 0 where a query sees nothing
    weights = exp / np.where(total > 0, total, 1)  # (B, L, S)
    return weights @ v, weights  # (B, L, Dv), (B, L, S)
