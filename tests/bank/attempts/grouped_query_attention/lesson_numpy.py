"""np.repeat, then attention as usual."""
# causes: none

import numpy as np


def grouped_query_attention(q, k, v, causal=False):
    B, H, L, D = q.shape
    G, S = k.shape[1], k.shape[2]
    if H % G != 0:
        raise ValueError("H must be divisible by G")
    k = np.repeat(k, H // G, axis=1)
    v = np.repeat(v, H // G, axis=1)
    scores = q @ k.transpose(0, 1, 3, 2) / np.sqrt(D)
    if causal:
        mask = np.tril(np.ones((L, S), dtype=bool), k=S - L)
    else:
        mask = np.ones((L, S), dtype=bool)
    scores = np.where(mask, scores, -1e9)
    e = np.exp(scores - scores.max(axis=-1, keepdims=True)) * mask
    weights = e / (e.sum(axis=-1, keepdims=True) + 1e-9)
    return weights @ v
