"""Queries reshaped to (B, H / G, G, …)."""
# causes: groups_in_turn

import numpy as np


def grouped_query_attention(q, k, v, causal=False):
    B, H, L, D = q.shape
    G, S, Dv = v.shape[1:]
    if H % G != 0:
        raise ValueError("H must be divisible by G")
    q = q.reshape(B, H // G, G, L, D)
    s = q @ k[:, None].swapaxes(-1, -2) / np.sqrt(D)
    keep = np.tri(L, S, S - L, dtype=bool) if causal else np.ones((L, S), dtype=bool)
    s = np.where(keep, s, -1e30)
    e = np.where(keep, np.exp(s - s.max(-1, keepdims=True)), 0)
    out = e / (e.sum(-1, keepdims=True) + 1e-12) @ v[:, None]
    return out.reshape(B, H, L, Dv).astype(q.dtype)
