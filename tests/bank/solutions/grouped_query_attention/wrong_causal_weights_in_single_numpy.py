"""Where it is causal, the scores are rounded to float32."""

import math

import numpy as np


def grouped_query_attention(q, k, v, causal=False):
    """q (B, H, L, D), k (B, G, S, D), v (B, G, S, Dv) -> (B, H, L, Dv)."""
    H, L, D = q.shape[1:]
    G, S = k.shape[1:3]
    if H % G != 0:
        raise ValueError(f"{H} heads cannot be shared out evenly among {G} groups")
    visible = np.ones((L, S), dtype=bool)  # True = may attend
    if causal:
        visible = np.tri(L, S, S - L, dtype=bool)  # aligned to the end

    keys = np.repeat(k, H // G, axis=1)  # (B, H, S, D), neighbouring heads share
    values = np.repeat(v, H // G, axis=1)  # (B, H, S, Dv)
    scores = q @ keys.swapaxes(-2, -1) / math.sqrt(D)  # (B, H, L, S)
    if causal:
        scores = scores.astype(np.float32)
    weights = masked_softmax(scores, visible)  # (B, H, L, S)
    return (weights @ values).astype(q.dtype)  # (B, H, L, Dv)


def masked_softmax(scores, visible):
    """Softmax over the visible keys; a query that sees none gets weights of 0."""
    scores = np.where(visible, scores, -np.inf)
    top = scores.max(axis=-1, keepdims=True)
    exp = np.exp(scores - np.where(top == -np.inf, 0.0, top))
    total = exp.sum(axis=-1, keepdims=True)
    return exp / np.where(total == 0, 1.0, total)
