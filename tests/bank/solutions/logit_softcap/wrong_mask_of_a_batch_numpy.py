"""The causal mask has an axis for a batch, which a single matrix does not have."""

import math

import numpy as np


def softcapped_attention(q, k, v, cap, causal=False):
    """q (..., L, D), k (..., S, D), v (..., S, Dv) -> (..., L, Dv)."""
    L, S, D = q.shape[-2], k.shape[-2], q.shape[-1]
    visible = np.ones((L, S), dtype=bool)  # True = may attend
    if causal:
        visible = np.tri(L, S, S - L, dtype=bool)[None]  # aligned to the end

    scores = q @ k.swapaxes(-2, -1) / math.sqrt(D)  # (..., L, S)
    scores = cap * np.tanh(scores / cap)  # between -cap and cap
    weights = masked_softmax(scores, visible)  # (..., L, S)
    return weights @ v  # (..., L, Dv)


def masked_softmax(scores, visible):
    """Softmax over the visible keys; a query that sees none gets weights of 0."""
    scores = np.where(visible, scores, -np.inf)
    top = scores.max(axis=-1, keepdims=True)
    exp = np.exp(scores - np.where(top == -np.inf, 0.0, top))
    total = exp.sum(axis=-1, keepdims=True)
    return exp / np.where(total == 0, 1.0, total)
