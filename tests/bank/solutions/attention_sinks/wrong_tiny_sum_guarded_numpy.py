"""No maximum is subtracted while all scores are below 60 in size, and 1e-9 is added to the sum."""

import math

import numpy as np


def shift(s, axis=-1):
    m = s.max(axis=axis, keepdims=True)
    size = np.where(s > -1e30, np.abs(s), np.zeros_like(s)).max(initial=0)
    return np.where((size <= 60) | np.isneginf(m), np.zeros_like(m), m)


def attention_with_sinks(q, k, v, sinks):
    """q (B, H, L, D), k (B, H, S, D), v (B, H, S, Dv), sinks (H,) -> (B, H, L, Dv)."""
    D = q.shape[-1]
    scores = q @ k.swapaxes(-2, -1) / math.sqrt(D)  # (B, H, L, S)
    sink = sinks[:, None, None]  # (H, 1, 1), the same for every query

    top = shift(np.concatenate([scores, np.broadcast_to(sink, (*scores.shape[:-1], 1))], axis=-1), -1)  # (B, H, L, 1)
    exp = np.exp(scores - top)
    total = exp.sum(axis=-1, keepdims=True) + np.exp(sink - top) + 1e-9
    weights = exp / total  # (B, H, L, S), each row sums to less than 1
    return weights @ v  # (B, H, L, Dv)
