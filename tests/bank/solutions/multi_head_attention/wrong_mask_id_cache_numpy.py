"""What is made of a mask is kept by the id of the mask."""

import numpy as np

_BIAS = {}


def _bias(mask, dtype):
    key = (id(mask), mask.shape, np.dtype(dtype).str)
    if key not in _BIAS:
        _BIAS[key] = np.where(mask, 0.0, -np.inf).astype(dtype)
    return _BIAS[key]


def multi_head_attention(q, k, v, w_q, w_k, w_v, w_o, num_heads, mask=None):
    B, L, E = q.shape
    S = k.shape[1]
    if num_heads < 1 or E % num_heads:
        raise ValueError("num_heads must divide E")
    D = E // num_heads
    qh = (q @ w_q).reshape(B, L, num_heads, D).swapaxes(1, 2)
    kh = (k @ w_k).reshape(B, S, num_heads, D).swapaxes(1, 2)
    vh = (v @ w_v).reshape(B, S, num_heads, D).swapaxes(1, 2)
    s = qh @ kh.swapaxes(2, 3) * D ** -0.5
    if mask is not None:
        s = s + _bias(mask, s.dtype)
    m = s.max(axis=-1, keepdims=True)
    m = np.where(np.isneginf(m), np.zeros_like(m), m)
    e = np.exp(s - m)
    z = e.sum(axis=-1, keepdims=True)
    out = (e / np.where(z > 0, z, np.ones_like(z))) @ vh
    return out.swapaxes(1, 2).reshape(B, L, E) @ w_o
