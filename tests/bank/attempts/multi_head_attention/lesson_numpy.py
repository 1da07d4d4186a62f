"""Project, split, attend, merge, project."""
# causes: none

import numpy as np


def multi_head_attention(q, k, v, w_q, w_k, w_v, w_o, num_heads, mask=None) -> np.ndarray:
    B, L, E = q.shape
    S = k.shape[1]
    if E % num_heads:
        raise ValueError("E must be divisible by num_heads")
    D = E // num_heads
    Q = (q @ w_q).reshape(B, L, num_heads, D).transpose(0, 2, 1, 3)
    K = (k @ w_k).reshape(B, S, num_heads, D).transpose(0, 2, 1, 3)
    V = (v @ w_v).reshape(B, S, num_heads, D).transpose(0, 2, 1, 3)
    scores = Q @ K.transpose(0, 1, 3, 2) / np.sqrt(D)
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)
    top = scores.max(axis=-1, keepdims=True)
    e = np.exp(scores - np.where(np.isinf(top), 0, top))
    total = e.sum(axis=-1, keepdims=True)
    weights = e / np.where(total == 0, 1, total)
    heads = weights @ V
    return heads.transpose(0, 2, 1, 3).reshape(B, L, E) @ w_o
