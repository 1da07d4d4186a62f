"""No maximum is subtracted while all scores are below 60 in size, and 1e-9 is added to the sum."""

import math

import numpy as np


def shift(s, axis=-1):
    m = s.max(axis=axis, keepdims=True)
    size = np.where(s > -1e30, np.abs(s), np.zeros_like(s)).max(initial=0)
    return np.where((size <= 60) | np.isneginf(m), np.zeros_like(m), m)


def softmax(scores):
    exp = np.exp(scores - shift(scores, -1))
    return exp / (exp.sum(axis=-1, keepdims=True) + 1e-9)


def differential_attention(q1, k1, q2, k2, v, lam):
    """q1, q2 (B, H, L, D), k1, k2 (B, H, S, D), v (B, H, S, Dv), lam (H,) -> (B, H, L, Dv)."""
    scale = math.sqrt(q1.shape[-1])
    signal = softmax(q1 @ k1.swapaxes(-2, -1) / scale)  # (B, H, L, S)
    noise = softmax(q2 @ k2.swapaxes(-2, -1) / scale)  # (B, H, L, S)
    weights = signal - lam[:, None, None] * noise  # each row sums to 1 - lam
    return weights @ v  # (B, H, L, Dv)
