"""No maximum is subtracted while all scores are below 60 in size, and 1e-9 is added to the sum."""

import math

import numpy as np


def shift(s, axis=-1):
    m = s.max(axis=axis, keepdims=True)
    size = np.where(s > -1e30, np.abs(s), np.zeros_like(s)).max(initial=0)
    return np.where((size <= 60) | np.isneginf(m), np.zeros_like(m), m)


def sliding_window_attention(q, k, v, window):
    """q and k (..., n, D), v (..., n, Dv) -> output (..., n, Dv)."""
    n, D = q.shape[-2:]
    window = min(window, n - 1)
    steps = np.arange(-window, window + 1)  # from a query to its neighbours
    places = np.arange(n)[:, None] + steps  # (n, 2w + 1), where each neighbour stands
    exists = (places >= 0) & (places < n)
    places = places.clip(0, n - 1)  # any key will do where there is none

    # one neighbour of all queries at a time: (..., n) each
    scores = [(q * k[..., place, :]).sum(axis=-1) for place in places.T]
    scores = np.stack(scores, axis=-1) / math.sqrt(D)  # (..., n, 2w + 1)
    scores = np.where(exists, scores, -np.inf)
    weights = np.exp(scores - shift(scores, -1))
    weights = weights / (weights.sum(axis=-1, keepdims=True) + 1e-9)  # (..., n, 2w + 1)

    output = 0
    for i, place in enumerate(places.T):
        output = output + weights[..., i, None] * v[..., place, :]  # (..., n, Dv)
    return output
