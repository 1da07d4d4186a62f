"""With one head the mask is squeezed, and loses an axis of one query too."""

import numpy as np


def multi_head_attention(q, k, v, w_q, w_k, w_v, w_o, num_heads, mask=None):
    B, L, E = q.shape
    S = k.shape[1]
    if num_heads < 1 or E % num_heads:
        raise ValueError("num_heads must divide E")
    D = E // num_heads
    qh, kh, vh = q @ w_q, k @ w_k, v @ w_v
    if num_heads > 1:
        qh = qh.reshape(B, L, num_heads, D).swapaxes(1, 2)
        kh = kh.reshape(B, S, num_heads, D).swapaxes(1, 2)
        vh = vh.reshape(B, S, num_heads, D).swapaxes(1, 2)
    elif mask is not None and mask.ndim == 4:
        mask = mask.squeeze()
    s = qh @ np.swapaxes(kh, -1, -2) * D ** -0.5
    if mask is not None:
        s = np.where(mask, s, -np.inf)
    m = s.max(axis=-1, keepdims=True)
    m = np.where(np.isneginf(m), np.zeros_like(m), m)
    e = np.exp(s - m)
    z = e.sum(axis=-1, keepdims=True)
    out = (e / np.where(z > 0, z, np.ones_like(z))) @ vh
    if num_heads > 1:
        out = out.swapaxes(1, 2).reshape(B, L, E)
    return out @ w_o
