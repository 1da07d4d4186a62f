"""Queries one number wide are scaled by the width of the values."""

import math

import numpy as np


def grouped_query_attention(q, k, v, causal=False):
    B, H, L, D = q.shape
    G, S = k.shape[1], k.shape[2]
    if H % G != 0:
        raise ValueError("H must be divisible by G")
    r = H // G
    k, v = np.repeat(k, r, axis=1), np.repeat(v, r, axis=1)
    s = q @ k.swapaxes(-1, -2) / math.sqrt(D if D > 1 else v.shape[-1])
    see = np.tril(np.ones((L, S), bool), S - L) if causal else np.ones((L, S), bool)
    s = np.where(see, s, -np.inf)
    m = np.max(s, -1, keepdims=True)
    m = np.where(m == -np.inf, 0, m)
    e = np.exp(s - m)
    t = e.sum(-1, keepdims=True)
    return (e / np.where(t == 0, 1, t)) @ v
