"""Weights for all pairs, then normalise."""
# causes: matrix_first|too_many_steps

import numpy as np


def linear_attention(q: np.ndarray, k: np.ndarray, v: np.ndarray) -> np.ndarray:
    fq = np.where(q > 0, q + 1, np.exp(np.minimum(q, 0)))
    fk = np.where(k > 0, k + 1, np.exp(np.minimum(k, 0)))
    weights = fq @ fk.transpose(0, 2, 1)
    weights = weights / weights.sum(axis=-1, keepdims=True)
    return weights @ v
