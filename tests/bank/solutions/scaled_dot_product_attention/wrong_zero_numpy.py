"""Wrong: "weights has the leading sizes of q and k broadcast together": the short cut for scale = 0 forgets those of k.
q (2, 4), k (3, 5, 4), v (5, 1), scale = 0: weights (2, 5) instead of (3, 2, 5)."""
import math

import numpy as np


def scaled_dot_product_attention(
    q: np.ndarray, k: np.ndarray, v: np.ndarray, scale: float | None = None
):
    if scale is None:
        scale = 1 / math.sqrt(q.shape[-1])
    if scale == 0:
        weights = np.full(q.shape[:-1] + (k.shape[-2],), 1 / k.shape[-2], dtype=q.dtype)
    else:
        scores = q @ np.swapaxes(k, -1, -2) * scale
        weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
        weights /= weights.sum(axis=-1, keepdims=True)
    return weights @ v, weights
