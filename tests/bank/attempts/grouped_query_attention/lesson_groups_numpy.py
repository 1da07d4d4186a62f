"""A loop over groups."""
# causes: none

import numpy as np


def grouped_query_attention(q, k, v, causal=False):
    B, H, L, D = q.shape
    G, S = k.shape[1], k.shape[2]
    if H % G != 0:
        raise ValueError(f"{H} heads, {G} groups")
    size = H // G
    out = np.zeros((B, H, L, v.shape[-1]), dtype=q.dtype)
    for g in range(G):
        heads = slice(g * size, (g + 1) * size)
        scores = q[:, heads] @ k[:, g : g + 1].swapaxes(-1, -2) / np.sqrt(D)
        if causal:
            future = np.arange(S)[None, :] > np.arange(L)[:, None] + (S - L)
            scores = np.where(future, -np.inf, scores)
        top = scores.max(axis=-1, keepdims=True)
        e = np.exp(scores - np.where(np.isfinite(top), top, 0))
        total = e.sum(axis=-1, keepdims=True)
        out[:, heads] = e / np.where(total == 0, 1, total) @ v[:, g : g + 1]
    return out
