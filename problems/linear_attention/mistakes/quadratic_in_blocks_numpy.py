import numpy as np


def feature_map(x):
    return np.where(x > 0, x + 1, np.exp(np.minimum(x, 0)))


def linear_attention(q, k, v):
    q, k = feature_map(q), feature_map(k)
    output = np.empty_like(v)
    for start in range(0, q.shape[1], 256):
        rows = slice(start, start + 256)
        weights = q[:, rows] @ k.swapaxes(-2, -1)  # (B, 256, n)
        output[:, rows] = weights @ v / weights.sum(axis=-1, keepdims=True)
    return output
