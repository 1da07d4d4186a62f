"""The width is cut as (D, H), so a head takes every H-th column."""
# causes: interleaved_split, interleaved_merge

import numpy as np


def multi_head_attention(q, k, v, w_q, w_k, w_v, w_o, num_heads, mask=None):
    B, L, E = q.shape
    if E % num_heads != 0:
        raise ValueError("the width must be divisible by the number of heads")
    D = E // num_heads

    def heads(x):
        return x.reshape(B, -1, D, num_heads).transpose(0, 3, 1, 2)

    Q, K, V = heads(q @ w_q), heads(k @ w_k), heads(v @ w_v)
    s = Q @ K.transpose(0, 1, 3, 2) / np.sqrt(D)
    if mask is not None:
        s = np.where(mask, s, -np.inf)
    m = s.max(-1, keepdims=True)
    m = np.where(np.isfinite(m), m, 0)
    e = np.exp(s - m)
    t = e.sum(-1, keepdims=True)
    w = e / np.where(t == 0, 1, t)
    out = (w @ V).transpose(0, 2, 3, 1).reshape(B, L, E)
    return out @ w_o
