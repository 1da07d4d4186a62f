"""Reshape into heads."""
# causes: split_without_transpose

import numpy as np


def multi_head_attention(q, k, v, w_q, w_k, w_v, w_o, num_heads, mask=None) -> np.ndarray:
    B, L, E = q.shape
    S = k.shape[1]
    if E % num_heads:
        raise ValueError("E must be divisible by num_heads")
    D = E // num_heads
    Q = (q @ w_q).reshape(B, num_heads, L, D)
    K = (k @ w_k).reshape(B, num_heads, S, D)
    V = (v @ w_v).reshape(B, num_heads, S, D)
    scores = Q @ K.swapaxes(-1, -2) / np.sqrt(D)
    if mask is not None:
        scores = np.where(mask, scores, -1e30)
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = e / e.sum(axis=-1, keepdims=True)
    if mask is not None:
        weights = np.where(mask, weights, 0)
    return (weights @ V).swapaxes(1, 2).reshape(B, L, E) @ w_o
