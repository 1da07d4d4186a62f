"""exp, mask, divide."""
# causes: no_maximum_subtracted

import numpy as np


def multi_head_attention(q, k, v, w_q, w_k, w_v, w_o, num_heads, mask=None) -> np.ndarray:
    B, L, E = q.shape
    if E % num_heads:
        raise ValueError("E must be divisible by num_heads")
    D = E // num_heads
    Q = (q @ w_q).reshape(B, L, num_heads, D).transpose(0, 2, 1, 3)
    K = (k @ w_k).reshape(B, -1, num_heads, D).transpose(0, 2, 1, 3)
    V = (v @ w_v).reshape(B, -1, num_heads, D).transpose(0, 2, 1, 3)
    e = np.exp(Q @ K.swapaxes(-1, -2) / np.sqrt(D))
    if mask is not None:
        e = np.where(mask, e, 0)
    total = e.sum(axis=-1, keepdims=True)
    weights = e / np.where(total == 0, 1, total)
    return (weights @ V).transpose(0, 2, 1, 3).reshape(B, L, E) @ w_o
