# wrong: no check of num_heads; reshape refuses most bad numbers, but E = 6, H = 4, L = S = 2 passes (-1 takes what is left) and returns an array
import numpy as np


def multi_head_attention(q, k, v, w_q, w_k, w_v, w_o, num_heads, mask=None):
    B, L, E = q.shape
    D = E // num_heads  # reshape raises a ValueError where this leaves a rest

    def heads(x):
        return x.reshape(B, -1, num_heads, max(D, 1)).transpose(0, 2, 1, 3)

    Q, K, V = heads(q @ w_q), heads(k @ w_k), heads(v @ w_v)
    s = Q @ np.swapaxes(K, -1, -2) / float(max(D, 1)) ** 0.5
    if mask is not None:
        s = np.where(mask, s, np.finfo(s.dtype).min)
    p = np.exp(s - s.max(axis=-1, keepdims=True))
    p = p / p.sum(axis=-1, keepdims=True)
    if mask is not None:
        p = p * mask
    return (p @ V).transpose(0, 2, 1, 3).reshape(B, L, E) @ w_o
