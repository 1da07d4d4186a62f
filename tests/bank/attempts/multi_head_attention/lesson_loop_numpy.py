"""One head at a time, and the usual guard."""
# causes: none

import numpy as np


def multi_head_attention(q, k, v, w_q, w_k, w_v, w_o, num_heads, mask=None) -> np.ndarray:
    E = q.shape[-1]
    if E % num_heads != 0:
        raise ValueError("E must be divisible by num_heads")
    D = E // num_heads
    Q, K, V = q @ w_q, k @ w_k, v @ w_v
    if mask is not None:
        mask = np.broadcast_to(mask, (q.shape[0], num_heads, q.shape[1], k.shape[1]))
    heads = []
    for h in range(num_heads):
        cols = slice(h * D, (h + 1) * D)
        scores = np.einsum("bld,bsd->bls", Q[:, :, cols], K[:, :, cols]) / np.sqrt(D)
        if mask is None:
            e = np.exp(scores - scores.max(axis=-1, keepdims=True))
        else:
            scores = np.where(mask[:, h], scores, -1e9)
            e = np.exp(scores - scores.max(axis=-1, keepdims=True)) * mask[:, h]
        weights = e / (e.sum(axis=-1, keepdims=True) + 1e-9)
        heads.append(np.einsum("bls,bsd->bld", weights, V[:, :, cols]))
    return np.concatenate(heads, axis=-1) @ w_o
