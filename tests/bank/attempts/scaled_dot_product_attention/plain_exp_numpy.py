"""exp over the sum of exp."""
# causes: no_maximum_subtracted

import numpy as np


def scaled_dot_product_attention(
    q: np.ndarray, k: np.ndarray, v: np.ndarray, scale: float | None = None
):
    scale = 1 / np.sqrt(q.shape[-1]) if scale is None else scale
    scores = np.exp(q @ np.swapaxes(k, -1, -2) * scale)
    weights = scores / scores.sum(axis=-1, keepdims=True)
    return weights @ v, weights
