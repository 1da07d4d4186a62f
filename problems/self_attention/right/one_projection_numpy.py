# The three matrices stand side by side: one product makes queries, keys and values.
import math

import numpy as np


def self_attention(x, w_q, w_k, w_v):
    D = w_q.shape[1]
    projected = x @ np.concatenate([w_q, w_k, w_v], axis=1)  # (n, D + D + Dv)
    q, k, v = np.split(projected, [D, 2 * D], axis=1)
    scores = q @ k.T / math.sqrt(D)
    exponentials = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights = exponentials / exponentials.sum(axis=1, keepdims=True)
    return weights @ v, weights
