"""No maximum is subtracted while all scores are below 60 in size, and 1e-9 is added to the sum."""

import math

import numpy as np


def shift(s, axis=-1):
    m = s.max(axis=axis, keepdims=True)
    size = np.where(s > -1e30, np.abs(s), np.zeros_like(s)).max(initial=0)
    return np.where((size <= 60) | np.isneginf(m), np.zeros_like(m), m)


def qk_norm_attention(q, k, v, gain_q, gain_k, eps):
    """q (B, H, L, D), k (B, H, S, D), v (B, H, S, Dv), gains (D,) -> (B, H, L, Dv)."""
    D = q.shape[-1]
    queries = rms_norm(q, gain_q, eps)  # (B, H, L, D)
    keys = rms_norm(k, gain_k, eps)  # (B, H, S, D)
    scores = queries @ keys.swapaxes(-2, -1) / math.sqrt(D)  # (B, H, L, S)

    exp = np.exp(scores - shift(scores, -1))
    weights = exp / (exp.sum(axis=-1, keepdims=True) + 1e-9)  # (B, H, L, S)
    return weights @ v  # (B, H, L, Dv)


def rms_norm(x, gain, eps):
    mean_square = (x * x).mean(axis=-1, keepdims=True)  # of each vector
    return x / np.sqrt(mean_square + eps) * gain
