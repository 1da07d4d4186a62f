"""The maximum of a row is subtracted only where some score is above 80."""

import math

import numpy as np


def shift(s, axis=-1):
    m = s.max(axis=axis, keepdims=True)
    if s.size and s.max() > 80:
        return np.where(np.isneginf(m), np.zeros_like(m), m)
    return np.zeros_like(m)


def softmax(scores):
    exp = np.exp(scores - shift(scores, -1))
    return exp / exp.sum(axis=-1, keepdims=True)


def differential_attention(q1, k1, q2, k2, v, lam):
    """q1, q2 (B, H, L, D), k1, k2 (B, H, S, D), v (B, H, S, Dv), lam (H,) -> (B, H, L, Dv)."""
    scale = math.sqrt(q1.shape[-1])
    signal = softmax(q1 @ k1.swapaxes(-2, -1) / scale)  # (B, H, L, S)
    noise = softmax(q2 @ k2.swapaxes(-2, -1) / scale)  # (B, H, L, S)
    weights = signal - lam[:, None, None] * noise  # each row sums to 1 - lam
    return weights @ v  # (B, H, L, Dv)
