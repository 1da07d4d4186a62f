"""A thousand queries at a time."""
# causes: last_block_dropped

import numpy as np


def batch_attention(queries, keys, values):
    b, d = queries.shape
    output = np.zeros((b, values.shape[1]), queries.dtype)
    weights = np.zeros((b, keys.shape[0]), queries.dtype)
    for part in range(b // 1024):
        rows = slice(part * 1024, part * 1024 + 1024)
        s = queries[rows] @ keys.T * (1 / d**0.5)
        e = np.exp(s - s.max(1)[:, None])
        weights[rows] = e / e.sum(1)[:, None]
        output[rows] = weights[rows] @ values
    return output, weights
