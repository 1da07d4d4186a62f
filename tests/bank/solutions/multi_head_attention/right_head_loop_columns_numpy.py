"""In another style: head loop columns."""

import numpy as np


def multi_head_attention(q, k, v, w_q, w_k, w_v, w_o, num_heads, mask=None):
    E = q.shape[-1]
    if E % num_heads:
        raise ValueError("E")
    D = E // num_heads
    B, L, S = q.shape[0], q.shape[1], k.shape[1]
    m = np.broadcast_to(True if mask is None else mask, (B, num_heads, L, S))
    out = 0
    for h in range(num_heads):
        c = slice(h * D, (h + 1) * D)
        s = (q @ w_q[:, c]) @ np.swapaxes(k @ w_k[:, c], 1, 2) / np.sqrt(D).astype(q.dtype)
        s = np.where(m[:, h], s, np.finfo(s.dtype).min)
        e = np.exp(s - s.max(-1, keepdims=True)) * m[:, h]
        w = e / np.maximum(e.sum(-1, keepdims=True), np.finfo(e.dtype).tiny)
        out = out + (w @ (v @ w_v[:, c])) @ w_o[c]
    return out
