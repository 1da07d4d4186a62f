"""The queries of a group are averaged, and the result is handed to all of its heads."""
# causes: queries_averaged

import numpy as np


def grouped_query_attention(q, k, v, causal=False):
    B, H, L, D = q.shape
    G, S = k.shape[1], k.shape[2]
    if H % G != 0:
        raise ValueError("H must be divisible by G")
    qg = q.reshape(B, G, H // G, L, D).mean(axis=2)
    s = qg @ k.swapaxes(-1, -2) / np.sqrt(D)
    keep = np.tri(L, S, S - L) if causal else np.ones((L, S))
    s = np.where(keep == 1, s, -1e9)
    e = np.exp(s - s.max(-1, keepdims=True)) * keep
    w = e / (e.sum(-1, keepdims=True) + 1e-9)
    return np.repeat(w @ v, H // G, axis=1)
