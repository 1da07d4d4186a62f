"""The group of a head is a rounded linspace: of 3 groups, the middle one has 6 of 12 heads."""

import math

import numpy as np


def grouped_query_attention(q, k, v, causal: bool = False) -> np.ndarray:
    """Attend with H heads of queries that share G groups of keys and values."""
    H, L, D = q.shape[1:]
    G, S = k.shape[1:3]
    if H % G:
        raise ValueError(f"{H} heads, {G} groups")
    group = np.rint(np.linspace(0, G - 1, H)).astype(np.int64)
    k, v = k[:, group], v[:, group]
    scores = q @ k.swapaxes(-1, -2) / math.sqrt(D)
    if causal:
        scores = np.where(np.tri(L, S, S - L, dtype=bool), scores, -np.inf)
    peak = scores.max(axis=-1, keepdims=True)
    weights = np.exp(scores - np.where(np.isfinite(peak), peak, 0))
    total = weights.sum(axis=-1, keepdims=True)
    return weights / np.where(total == 0, 1, total) @ v
