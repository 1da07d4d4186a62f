"""Wrong: "nothing is written into q": a given scale is multiplied into q in place (the default one is not).
q (2, 3), scale = 0.5: q is half as large after the call, and a read-only q raises."""
import math

import numpy as np


def scaled_dot_product_attention(
    q: np.ndarray, k: np.ndarray, v: np.ndarray, scale: float | None = None
):
    if scale is None:
        q = q / math.sqrt(q.shape[-1])
    else:
        q *= scale
    scores = q @ np.swapaxes(k, -1, -2)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights /= weights.sum(axis=-1, keepdims=True)
    return weights @ v, weights
