"""Queries get an axis of groups; einsum does the rest."""
import numpy as np


def grouped_query_attention(q, k, v, causal=False):
    B, H, L, D = q.shape
    G, S = k.shape[1], k.shape[2]
    if H % G:
        raise ValueError("H must be divisible by G")
    qg = q.reshape(B, G, H // G, L, D)
    s = np.einsum("bgrld,bgsd->bgrls", qg, k) / np.sqrt(D)
    if causal:
        keep = np.arange(S)[None] <= np.arange(L)[:, None] + S - L
        s = np.where(keep, s, np.finfo(s.dtype).min)
        e = np.exp(s - s.max(-1, keepdims=True)) * keep
    else:
        e = np.exp(s - s.max(-1, keepdims=True))
    t = e.sum(-1, keepdims=True)
    w = e / np.where(t > 0, t, 1)
    return np.einsum("bgrls,bgsv->bgrlv", w, v).reshape(B, H, L, -1)
