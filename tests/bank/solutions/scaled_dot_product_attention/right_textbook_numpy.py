"""The lessons' usual line: np.sqrt of a Python number makes everything float64 in NumPy 2."""
import numpy as np


def scaled_dot_product_attention(q, k, v, scale=None):
    d_k = q.shape[-1]
    scores = np.matmul(q, np.swapaxes(k, -1, -2))
    scores = scores / np.sqrt(d_k) if scale is None else scores * scale
    scores = scores - np.max(scores, axis=-1, keepdims=True)
    exp_scores = np.exp(scores)
    weights = exp_scores / np.sum(exp_scores, axis=-1, keepdims=True)
    return np.matmul(weights, v), weights
