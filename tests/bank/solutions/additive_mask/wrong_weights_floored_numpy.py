"""Wrong: lifts small exponentials to 1e-3 so that nothing is ever 0."""
import math

import numpy as np


def self_attention_with_mask(x, w_q, w_k, w_v, mask=None):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    scores = q @ k.T / math.sqrt(q.shape[1])
    if mask is not None:
        scores = scores + mask
    e = np.maximum(np.exp(scores - scores.max(1, keepdims=True)), np.asarray(1e-3, x.dtype))
    weights = e / e.sum(1, keepdims=True)
    return weights @ v, weights
