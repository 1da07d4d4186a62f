"""Divide by the root of the model width."""
# causes: scale_of_model_width

import numpy as np


def multi_head_attention(q, k, v, w_q, w_k, w_v, w_o, num_heads, mask=None) -> np.ndarray:
    B, L, E = q.shape
    if E % num_heads:
        raise ValueError("E must be divisible by num_heads")
    Q, K, V = (
        (x @ w).reshape(B, -1, num_heads, E // num_heads).transpose(0, 2, 1, 3)
        for x, w in ((q, w_q), (k, w_k), (v, w_v))
    )
    scores = Q @ K.transpose(0, 1, 3, 2) / np.sqrt(E)
    keep = True if mask is None else mask
    scores = np.where(keep, scores, np.finfo(scores.dtype).min)
    e = np.where(keep, np.exp(scores - scores.max(axis=-1, keepdims=True)), 0)
    total = e.sum(axis=-1, keepdims=True)
    weights = e / np.where(total == 0, 1, total)
    return (weights @ V).transpose(0, 2, 1, 3).reshape(B, L, E) @ w_o
