import math

import numpy as np


def attention_steps(x, w_q, w_k, w_v):
    """softmax(q kᵀ / √d) v with every step returned (Vaswani et al. 2017, equation 1)."""
    q, k, v = x @ w_q, x @ w_k, x @ w_v  # (n, D), (n, D), (n, Dv)
    d = w_q.shape[1]
    scores = q @ k.T  # (n, n)
    scaled = scores / math.sqrt(d)
    weights = np.exp(scaled - scaled.max(axis=1, keepdims=True))
    weights = weights / weights.sum(axis=1, keepdims=True)  # (n, n)
    output = weights @ v  # (n, Dv)
    return scores, scaled, weights, output
