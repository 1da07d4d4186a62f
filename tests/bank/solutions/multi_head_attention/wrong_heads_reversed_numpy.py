"""Concatenates the heads from the last to the first."""
import numpy as np


def multi_head_attention(q, k, v, w_q, w_k, w_v, w_o, num_heads, mask=None):
    B, L, E = q.shape
    if E % num_heads:
        raise ValueError("no")
    D = E // num_heads
    parts = []
    for h in range(num_heads):
        c = slice(h * D, h * D + D)
        s = (q @ w_q[:, c]) @ (k @ w_k[:, c]).swapaxes(1, 2) / D**0.5
        m = np.broadcast_to(True if mask is None else mask, (B, num_heads, L, k.shape[1]))[:, h]
        s = np.where(m, s, -np.inf)
        top = s.max(-1, keepdims=True)
        e = np.exp(s - np.where(np.isinf(top), 0, top))
        t = e.sum(-1, keepdims=True)
        parts.insert(0, e / np.where(t == 0, 1, t) @ (v @ w_v[:, c]))
    return np.concatenate(parts, -1) @ w_o
