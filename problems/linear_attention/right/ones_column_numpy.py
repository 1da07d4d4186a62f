# Each value gets a last entry of 1: its weighted sum is the denominator, in the same product.
import numpy as np


def linear_attention(q, k, v):
    ones = np.ones_like(v[..., :1])
    memory = feature_map(k).swapaxes(1, 2) @ np.concatenate([v, ones], axis=-1)  # (B, D, Dv + 1)
    sums = feature_map(q) @ memory
    return sums[..., :-1] / sums[..., -1:]


def feature_map(x):
    return np.where(x > 0, x + 1, np.exp(np.minimum(x, 0)))
