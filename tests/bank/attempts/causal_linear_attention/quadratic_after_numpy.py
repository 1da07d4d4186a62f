"""Normalise over all keys, then cut the triangle."""
# causes: masked_matrix|too_many_steps, total_normaliser

import numpy as np


def causal_linear_attention(q: np.ndarray, k: np.ndarray, v: np.ndarray) -> np.ndarray:
    fq = np.where(q > 0, q + 1, np.exp(np.minimum(q, 0)))
    fk = np.where(k > 0, k + 1, np.exp(np.minimum(k, 0)))
    w = fq @ fk.transpose(0, 2, 1)
    w = w / w.sum(axis=-1, keepdims=True)
    return np.tril(w) @ v
