"""k.T turns the keys round."""
# causes: all_axes_reversed

import numpy as np


def scaled_dot_product_attention(
    q: np.ndarray, k: np.ndarray, v: np.ndarray, scale: float | None = None
):
    scale = 1 / np.sqrt(q.shape[-1]) if scale is None else scale
    scores = q @ k.T * scale
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = e / e.sum(axis=-1, keepdims=True)
    return weights @ v, weights
