"""The triangle without the diagonal, and the root of the whole width."""
# causes: diagonal_hidden, scale_of_all_heads

import numpy as np


def grouped_query_attention(q, k, v, causal=False):
    B, H, L, D = q.shape
    G, S = k.shape[1], k.shape[2]
    if H % G != 0:
        raise ValueError("H must be divisible by G")
    k, v = np.repeat(k, H // G, axis=1), np.repeat(v, H // G, axis=1)
    s = q @ k.swapaxes(-1, -2) / np.sqrt(H * D)
    if causal:
        i = np.arange(L)[:, None] + S - L
        j = np.arange(S)[None, :]
        keep = j < i
    else:
        keep = np.ones((L, S), dtype=bool)
    s = np.where(keep, s, -1e30)
    e = np.where(keep, np.exp(s - s.max(-1, keepdims=True)), 0)
    t = e.sum(-1, keepdims=True)
    return e / np.where(t == 0, 1, t) @ v
