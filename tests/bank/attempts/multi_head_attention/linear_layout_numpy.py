"""The matrices as nn.Linear keeps them."""
# causes: all_weights_transposed

import numpy as np


def multi_head_attention(q, k, v, w_q, w_k, w_v, w_o, num_heads, mask=None):
    B, L, E = q.shape
    S = k.shape[1]
    if E % num_heads:
        raise ValueError("heads")
    D = E // num_heads
    qh = (q @ w_q.T).reshape(B, L, num_heads, D).transpose(0, 2, 1, 3)
    kh = (k @ w_k.T).reshape(B, S, num_heads, D).transpose(0, 2, 1, 3)
    vh = (v @ w_v.T).reshape(B, S, num_heads, D).transpose(0, 2, 1, 3)
    s = qh @ kh.transpose(0, 1, 3, 2) / np.sqrt(D)
    if mask is not None:
        s = np.where(mask, s, -np.inf)
    e = np.exp(s - s.max(axis=-1, keepdims=True))
    w = np.nan_to_num(e / e.sum(axis=-1, keepdims=True))
    return (w @ vh).transpose(0, 2, 1, 3).reshape(B, L, E) @ w_o.T
