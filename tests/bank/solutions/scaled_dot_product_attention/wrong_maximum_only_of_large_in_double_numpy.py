"""The maximum is subtracted only where some score is above 80; np.sqrt makes the scores float64."""

import numpy as np


def scaled_dot_product_attention(q, k, v, scale=None):
    scores = q @ np.swapaxes(k, -2, -1) * (1 / np.sqrt(q.shape[-1]) if scale is None else scale)
    top = scores.max(-1, keepdims=True) if scores.max() > 80 else 0
    weights = np.exp(scores - top)
    weights = weights / weights.sum(-1, keepdims=True)
    return weights @ v, weights
