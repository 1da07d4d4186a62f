# The exponentials meet the values first; each output row is divided once, at the end.
import math

import numpy as np


def scaled_dot_product_attention(q, k, v, scale=None):
    scale = 1 / math.sqrt(q.shape[-1]) if scale is None else scale
    scores = q @ np.swapaxes(k, -2, -1) * scale
    exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True))
    total = exponentials.sum(axis=-1, keepdims=True)  # (..., L, 1)
    return exponentials @ v / total, exponentials / total
