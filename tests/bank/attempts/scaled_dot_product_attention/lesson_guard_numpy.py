"""A guard of 1e-9 beside the sum."""
# causes: none

import numpy as np


def scaled_dot_product_attention(
    q: np.ndarray, k: np.ndarray, v: np.ndarray, scale: float | None = None
):
    scale = 1 / np.sqrt(q.shape[-1]) if scale is None else scale
    scores = np.einsum("...ld,...sd->...ls", q, k) * scale
    e = np.exp(scores - scores.max(-1, keepdims=True))
    weights = e / (e.sum(-1, keepdims=True) + 1e-9)
    return np.einsum("...ls,...sv->...lv", weights, v), weights
