"""Divide by the root of d_k as in the paper."""
# causes: none

import numpy as np


def scaled_dot_product_attention(
    q: np.ndarray, k: np.ndarray, v: np.ndarray, scale: float | None = None
):
    d_k = q.shape[-1]
    scores = q @ k.swapaxes(-2, -1)
    scores = scores / np.sqrt(d_k) if scale is None else scores * scale
    e = np.exp(scores - np.max(scores, axis=-1, keepdims=True))
    weights = e / np.sum(e, axis=-1, keepdims=True)
    return weights @ v, weights
