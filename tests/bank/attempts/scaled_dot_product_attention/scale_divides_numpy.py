"""Divide by the scale, whichever it is."""
# causes: divided_by_the_scale

import numpy as np


def scaled_dot_product_attention(
    q: np.ndarray, k: np.ndarray, v: np.ndarray, scale: float | None = None
):
    if scale is None:
        scale = np.sqrt(q.shape[-1])
    scores = q @ np.swapaxes(k, -1, -2) / scale
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = e / e.sum(axis=-1, keepdims=True)
    return weights @ v, weights
