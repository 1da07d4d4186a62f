"""Under a mask the weights are filled row by row into zeros of float32."""
import math

import numpy as np


def masked_attention(q, k, v, padding_mask=None, causal=False):
    queries, keys, width = q.shape[-2], k.shape[-2], q.shape[-1]
    scores = q @ k.swapaxes(-1, -2) / math.sqrt(width)  # (B, L, S)

    if padding_mask is None and not causal:
        exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
        weights = exp / exp.sum(axis=-1, keepdims=True)
        return weights @ v, weights
    weights = np.zeros(scores.shape, dtype=np.float32)
    for b in range(q.shape[0]):
        for i in range(queries):
            seen = np.ones(keys, bool) if padding_mask is None else padding_mask[b].copy()
            if causal:
                seen &= np.arange(keys) <= i + keys - queries
            if seen.any():
                exp = np.exp(scores[b, i, seen] - scores[b, i, seen].max())
                weights[b, i, seen] = exp / exp.sum()
    weights = weights.astype(v.dtype)
    return weights @ v, weights
