"""Where it is causal, the weights are filled row by row into zeros of float32."""
import math

import numpy as np


def masked_attention(q, k, v, padding_mask=None, causal=False):
    queries, keys, width = q.shape[-2], k.shape[-2], q.shape[-1]
    scores = q @ k.swapaxes(-1, -2) / math.sqrt(width)  # (B, L, S)

    visible = np.ones(scores.shape, dtype=bool)
    if padding_mask is not None:
        visible = visible & padding_mask[:, None, :]
    weights = np.zeros(scores.shape, dtype=np.float32 if causal else scores.dtype)
    for b in range(q.shape[0]):
        for i in range(queries):
            seen = visible[b, i]
            if causal:
                seen = seen & (np.arange(keys) <= i + keys - queries)
            if seen.any():
                exp = np.exp(scores[b, i, seen] - scores[b, i, seen].max())
                weights[b, i, seen] = exp / exp.sum()
    weights = weights.astype(v.dtype)
    return weights @ v, weights
