import numpy as np


def multi_head_attention(q, k, v, w_q, w_k, w_v, w_o, num_heads, mask=None):
    B, L, E = q.shape
    if E % num_heads:
        raise ValueError("embed_dim must be divisible by num_heads")
    shape = lambda t: np.swapaxes(t.reshape(B, -1, num_heads, E // num_heads), 1, 2)
    qs, ks, vs = shape(q @ w_q), shape(k @ w_k), shape(v @ w_v)
    scores = qs @ np.swapaxes(ks, -1, -2) * (E // num_heads) ** -0.5
    if mask is not None:
        scores = scores + np.where(mask, 0, np.finfo(np.float16).min).astype(q.dtype)
    p = np.exp(scores - scores.max(-1, keepdims=True))
    p = p / p.sum(-1, keepdims=True)
    if mask is not None:
        p = p * mask.any(-1, keepdims=True)
    return np.swapaxes(p @ vs, 1, 2).reshape(B, L, E) @ w_o
