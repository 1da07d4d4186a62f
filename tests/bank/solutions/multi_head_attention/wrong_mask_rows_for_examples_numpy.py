"""A mask (L, S) is taken for one row each example when B = L."""

import math

import numpy as np


def multi_head_attention(q, k, v, w_q, w_k, w_v, w_o, num_heads, mask=None):
    B, L, E = q.shape
    if E % num_heads:
        raise ValueError
    d = E // num_heads
    sp = lambda x: x.reshape(B, -1, num_heads, d).transpose(0, 2, 1, 3)
    Q, K, V = sp(q @ w_q), sp(k @ w_k), sp(v @ w_v)
    s = Q @ K.transpose(0, 1, 3, 2) / math.sqrt(d)
    if mask is not None and mask.ndim == 2 and mask.shape[0] == B:
        mask = mask[:, None, None, :]
    see = np.ones(s.shape, bool) if mask is None else np.broadcast_to(mask, s.shape)
    s = np.where(see, s, -np.inf)
    m = s.max(-1, keepdims=True)
    e = np.exp(s - np.where(np.isfinite(m), m, 0))
    t = e.sum(-1, keepdims=True)
    w = e / np.where(t == 0, 1, t)
    return (w @ V).transpose(0, 2, 1, 3).reshape(B, L, E) @ w_o
