import numpy as np


def causal_linear_attention(q, k, v):
    n = q.shape[1]
    scores = q @ k.swapaxes(-2, -1) / q.shape[-1] ** 0.5  # (B, n, n)
    scores = np.where(np.tri(n, dtype=bool), scores, -np.inf)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return weights @ v / weights.sum(axis=-1, keepdims=True)
