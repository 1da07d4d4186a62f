"""The mask is multiplied onto the weights; one maximum for everything."""
# causes: mask_after_softmax, maximum_of_everything

import numpy as np


def softmax(x):
    e = np.exp(x - np.max(x))
    return e / e.sum(axis=-1, keepdims=True)


def multi_head_attention(q, k, v, w_q, w_k, w_v, w_o, num_heads, mask=None):
    B, L, E = q.shape
    S = k.shape[1]
    if E % num_heads:
        raise ValueError("heads")
    d = E // num_heads
    Q = (q @ w_q).reshape(B, L, num_heads, d).swapaxes(1, 2)
    K = (k @ w_k).reshape(B, S, num_heads, d).swapaxes(1, 2)
    V = (v @ w_v).reshape(B, S, num_heads, d).swapaxes(1, 2)
    weights = softmax(Q @ K.swapaxes(-1, -2) / np.sqrt(d))
    if mask is not None:
        weights = weights * mask
    out = (weights @ V).swapaxes(1, 2).reshape(B, L, E)
    return out @ w_o
