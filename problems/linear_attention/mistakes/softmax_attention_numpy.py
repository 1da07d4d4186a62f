import numpy as np


def linear_attention(q, k, v):
    scores = q @ k.swapaxes(-2, -1) / q.shape[-1] ** 0.5  # (B, n, n)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return weights @ v / weights.sum(axis=-1, keepdims=True)
