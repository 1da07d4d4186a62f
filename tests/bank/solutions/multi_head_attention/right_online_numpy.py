"""Online softmax: one key at a time with a running maximum and sum."""
import numpy as np


def multi_head_attention(q, k, v, w_q, w_k, w_v, w_o, num_heads, mask=None):
    B, L, E = q.shape
    S = k.shape[1]
    if E % num_heads:
        raise ValueError
    D = E // num_heads
    cut = lambda x: np.swapaxes(x.reshape(B, -1, num_heads, D), 1, 2)
    Q, K, V = cut(q @ w_q), cut(k @ w_k), cut(v @ w_v)
    seen = np.broadcast_to(True if mask is None else mask, (B, num_heads, L, S))
    top = np.full((B, num_heads, L, 1), np.finfo(q.dtype).min / 4, q.dtype)
    total = np.zeros_like(top)
    acc = np.zeros_like(Q)
    for j in range(S):
        s = (Q * K[:, :, j : j + 1]).sum(-1, keepdims=True) / D**0.5
        m = seen[..., j : j + 1]
        new = np.where(m, np.maximum(top, s), top)
        p = np.where(m, np.exp(np.where(m, s - new, 0)), 0)
        fade = np.exp(top - new)
        total = total * fade + p
        acc = acc * fade + p * V[:, :, j : j + 1]
        top = new
    out = acc / np.where(total > 0, total, 1)
    return np.swapaxes(out, 1, 2).reshape(B, L, E) @ w_o
