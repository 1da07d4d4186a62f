import math

import torch


def self_attention(x, w_q, w_k, w_v):
    """softmax(q kᵀ / √d) v with q, k and v made from the same x (Vaswani et al. 2017, equation 1)."""
    q, k, v = x @ w_q, x @ w_k, x @ w_v  # (n, D), (n, D), (n, Dv)
    d = w_q.shape[1]
    scores = q @ k.T / math.sqrt(d)  # (n, n)
    weights = torch.softmax(scores, dim=1)  # (n, n)
    output = weights @ v  # (n, Dv)
    return output, weights
