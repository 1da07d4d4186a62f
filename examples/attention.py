"""The example that `make grade` judges: scaled dot-product attention in NumPy."""

import numpy as np


def scaled_dot_product_attention(q, k, v, scale=None):
    if scale is None:
        scale = 1 / np.sqrt(q.shape[-1])
    scores = (q @ np.swapaxes(k, -2, -1) * scale).astype(q.dtype)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights /= weights.sum(axis=-1, keepdims=True)
    return weights @ v, weights
