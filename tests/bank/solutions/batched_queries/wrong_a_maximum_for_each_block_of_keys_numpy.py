"""Exponentials of a block of 32 keys are relative to the maximum of that block."""

import numpy as np
def batch_attention(queries, keys, values):
    B = 32
    scores = queries @ keys.T / np.sqrt(queries.shape[1]).astype(queries.dtype)
    parts = []
    for i in range(0, keys.shape[0], B):
        s = scores[:, i:i + B]
        e = np.exp(s - s.max(axis=1, keepdims=True))
        parts.append(e)
    w = np.concatenate(parts, axis=1)
    w = w / w.sum(axis=1, keepdims=True)
    return w @ values, w
