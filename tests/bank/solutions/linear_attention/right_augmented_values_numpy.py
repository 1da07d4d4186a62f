"""A column of ones beside the values: numerator and denominator in one product."""
import numpy as np


def linear_attention(q, k, v):
    def features(x):
        return np.maximum(x, 0) + np.exp(np.minimum(x, 0))

    ones = np.ones((*v.shape[:-1], 1), dtype=v.dtype)
    both = features(q) @ (features(k).swapaxes(1, 2) @ np.concatenate([v, ones], axis=-1))
    return both[..., :-1] / both[..., -1:]
