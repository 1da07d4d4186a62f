"""A loop over the heads; exp and the division write only where a key is visible."""

import numpy as np


def _weights(scores, allowed):
    top = np.max(scores, axis=-1, keepdims=True, where=allowed, initial=-np.inf)
    top = np.where(np.isneginf(top), scores.dtype.type(0), top)
    w = np.zeros_like(scores)
    np.exp(np.where(allowed, scores, top) - top, out=w, where=allowed)
    total = w.sum(axis=-1, keepdims=True)
    np.divide(w, total, out=w, where=total != 0)
    return w


def multi_head_attention(q, k, v, w_q, w_k, w_v, w_o, num_heads, mask=None):
    B, L, E = q.shape
    S = k.shape[1]
    if num_heads < 1 or E % num_heads:
        raise ValueError(f"{num_heads} heads do not divide {E}")
    D = E // num_heads
    if mask is None:
        mask = True
    mask = np.broadcast_to(mask, (B, num_heads, L, S))
    out = np.zeros((B, L, E), dtype=q.dtype)
    for h in range(num_heads):
        part = slice(h * D, (h + 1) * D)
        qh, kh, vh = q @ w_q[:, part], k @ w_k[:, part], v @ w_v[:, part]
        scores = np.matmul(qh, kh.transpose(0, 2, 1)) * (D ** -0.5)
        out += _weights(scores, mask[:, h]) @ vh @ w_o[part]
    return out
