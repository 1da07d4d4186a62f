"""D is E // H."""
# causes: width_not_checked|fewer_heads_quietly

import numpy as np


def multi_head_attention(q, k, v, w_q, w_k, w_v, w_o, num_heads, mask=None) -> np.ndarray:
    D = q.shape[-1] // num_heads
    Q, K, V = q @ w_q, k @ w_k, v @ w_v
    shape = (q.shape[0], num_heads, q.shape[1], k.shape[1])
    keep = np.ones(shape, dtype=bool) if mask is None else np.broadcast_to(mask, shape)
    out = np.zeros(q.shape, dtype=q.dtype)
    for h in range(num_heads):
        s = slice(h * D, h * D + D)
        scores = Q[..., s] @ K[..., s].swapaxes(1, 2) / np.sqrt(D)
        scores = np.where(keep[:, h], scores, -1e30)
        e = np.exp(scores - scores.max(axis=-1, keepdims=True)) * keep[:, h]
        total = e.sum(axis=-1, keepdims=True)
        out[..., s] = e / np.where(total > 0, total, 1) @ V[..., s]
    return out @ w_o
