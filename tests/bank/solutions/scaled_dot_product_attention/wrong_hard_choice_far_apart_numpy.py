"""Where the scores of a row lie more than 1000 apart, the best key takes everything."""
import numpy as np


def scaled_dot_product_attention(q, k, v, scale=None):
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    scores = q @ np.swapaxes(k, -2, -1) * scale
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = weights / weights.sum(axis=-1, keepdims=True)
    best = np.arange(scores.shape[-1]) == scores.argmax(axis=-1)[..., None]
    far = np.ptp(scores, axis=-1, keepdims=True) > 1000
    weights = np.where(far, best, weights).astype(q.dtype)
    return weights @ v, weights
