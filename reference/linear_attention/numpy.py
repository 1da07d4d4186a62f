import numpy as np


def feature_map(x):
    return np.where(x > 0, x + 1, np.exp(np.minimum(x, 0)))  # elu(x) + 1, never negative


def linear_attention(q, k, v):
    q = feature_map(q)  # (B, n, D)
    k = feature_map(k)  # (B, n, D)
    memory = k.swapaxes(-2, -1) @ v  # (B, D, Dv): all keys and values, summed once
    normaliser = k.sum(axis=-2)[..., None]  # (B, D, 1)
    return (q @ memory) / (q @ normaliser)  # (B, n, Dv)
