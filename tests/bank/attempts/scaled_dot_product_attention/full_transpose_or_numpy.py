"""k.T turns the keys round, and the scale has a default."""
# causes: all_axes_reversed, zero_scale_taken_for_none

import numpy as np


def scaled_dot_product_attention(
    q: np.ndarray, k: np.ndarray, v: np.ndarray, scale: float | None = None
):
    scale = scale or 1 / np.sqrt(q.shape[-1])
    scores = np.dot(q, k.T) * scale
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = e / e.sum(axis=-1, keepdims=True)
    return np.dot(weights, v), weights
