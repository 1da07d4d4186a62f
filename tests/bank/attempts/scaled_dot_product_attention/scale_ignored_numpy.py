"""Always divide by the root."""
# causes: scale_ignored

import numpy as np


def scaled_dot_product_attention(
    q: np.ndarray, k: np.ndarray, v: np.ndarray, scale: float | None = None
):
    scores = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = e / e.sum(axis=-1, keepdims=True)
    return weights @ v, weights
