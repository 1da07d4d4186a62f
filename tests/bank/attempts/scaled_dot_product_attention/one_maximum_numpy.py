"""Take off the largest of all scores."""
# causes: maximum_of_everything

import numpy as np


def scaled_dot_product_attention(
    q: np.ndarray, k: np.ndarray, v: np.ndarray, scale: float | None = None
):
    scale = 1 / np.sqrt(q.shape[-1]) if scale is None else scale
    scores = q @ np.swapaxes(k, -1, -2) * scale
    e = np.exp(scores - np.max(scores))
    weights = e / e.sum(axis=-1, keepdims=True)
    return weights @ v, weights
