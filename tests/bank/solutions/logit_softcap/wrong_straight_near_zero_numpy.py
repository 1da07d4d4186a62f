"""Scores below a hundredth of the cap are not bent."""
import math
import numpy as np


def softcapped_attention(q, k, v, cap, causal=False):
    L, S, D = q.shape[-2], k.shape[-2], q.shape[-1]
    s = q @ np.swapaxes(k, -1, -2) / math.sqrt(D)
    s = np.where(np.abs(s) < 0.01 * cap, s, cap * np.tanh(s / cap))
    if causal:
        s = np.where(np.tri(L, S, S - L, dtype=bool), s, -np.inf)
    m = s.max(-1, keepdims=True)
    e = np.exp(s - np.where(np.isfinite(m), m, 0))
    d = e.sum(-1, keepdims=True)
    return (e / np.where(d == 0, 1, d)) @ v
