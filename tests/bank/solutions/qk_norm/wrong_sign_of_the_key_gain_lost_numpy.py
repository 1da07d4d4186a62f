"""The gain of the keys loses its sign."""

import math

import numpy as np


def qk_norm_attention(q, k, v, gain_q, gain_k, eps):
    """q (B, H, L, D), k (B, H, S, D), v (B, H, S, Dv), gains (D,) -> (B, H, L, Dv)."""
    D = q.shape[-1]
    queries = rms_norm(q, gain_q, eps)  # (B, H, L, D)
    keys = rms_norm(k, np.abs(gain_k), eps)  # (B, H, S, D)
    scores = queries @ keys.swapaxes(-2, -1) / math.sqrt(D)  # (B, H, L, S)

    exp = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = exp / exp.sum(axis=-1, keepdims=True)  # (B, H, L, S)
    return weights @ v  # (B, H, L, Dv)


def rms_norm(x, gain, eps):
    mean_square = (x * x).mean(axis=-1, keepdims=True)  # of each vector
    return x / np.sqrt(mean_square + eps) * gain
