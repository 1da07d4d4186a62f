"""The usual guard of a division: 1e-9 beside a sum of at least 1."""
import numpy as np


def scaled_dot_product_attention(q, k, v, scale=None):
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    scores = np.einsum("...ld,...sd->...ls", q, k) * scale
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = weights / (weights.sum(axis=-1, keepdims=True) + 1e-9)
    return weights @ v, weights
