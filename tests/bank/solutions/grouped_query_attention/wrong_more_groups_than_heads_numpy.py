"""More groups than heads are accepted."""
import numpy as np


def grouped_query_attention(q, k, v, causal=False):
    B, H, L, D = q.shape
    G, S = k.shape[1], k.shape[2]
    if G > H:
        k, v, G = k[:, :H], v[:, :H], H
    if H % G:
        raise ValueError('groups')
    k, v = np.repeat(k, H // G, 1), np.repeat(v, H // G, 1)
    s = q @ k.swapaxes(-1, -2) / D**0.5
    keep = np.tri(L, S, S - L, dtype=bool) if causal else np.ones((L, S), bool)
    s = np.where(keep, s, np.finfo(s.dtype).min)
    e = np.exp(s - s.max(-1, keepdims=True)) * keep
    t = e.sum(-1, keepdims=True)
    return e / np.where(t > 0, t, 1) @ v
