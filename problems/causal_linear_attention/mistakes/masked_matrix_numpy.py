import numpy as np


def feature_map(x):
    return np.where(x > 0, x + 1, np.exp(np.minimum(x, 0)))


def causal_linear_attention(q, k, v):
    q, k = feature_map(q), feature_map(k)
    weights = np.tril(q @ k.swapaxes(-2, -1))  # (B, n, n)
    return weights @ v / weights.sum(axis=-1, keepdims=True)
