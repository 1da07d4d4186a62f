# einsum names the axes, so nothing is transposed: l queries, s keys, widths d and v.
import math

import numpy as np


def scaled_dot_product_attention(q, k, v, scale=None):
    scale = 1 / math.sqrt(q.shape[-1]) if scale is None else scale
    scores = np.einsum("...ld,...sd->...ls", q, k) * scale
    exponentials = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = exponentials / exponentials.sum(axis=-1, keepdims=True)
    return np.einsum("...ls,...sv->...lv", weights, v), weights
