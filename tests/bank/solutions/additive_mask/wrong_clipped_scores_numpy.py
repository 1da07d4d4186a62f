"""Wrong: clips masked scores to plus or minus 80 in place of subtracting the maximum."""
import math

import numpy as np


def self_attention_with_mask(x, w_q, w_k, w_v, mask=None):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    scores = q @ k.T / math.sqrt(q.shape[1])
    if mask is not None:
        scores = scores + mask
    e = np.where(scores < -1e5, 0, np.exp(np.clip(scores, -80, 80))).astype(x.dtype)
    weights = e / e.sum(1, keepdims=True)
    return weights @ v, weights
