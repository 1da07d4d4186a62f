"""Attention with a learned sink for each head (gpt-oss model card 2025, section 2)."""

import math

import numpy as np


def attention_with_sinks(q, k, v, sinks):
    """q (B, H, L, D), k (B, H, S, D), v (B, H, S, Dv), sinks (H,) -> (B, H, L, Dv)."""
    D = q.shape[-1]
    scores = q @ k.swapaxes(-2, -1) / math.sqrt(D)  # (B, H, L, S)
    sink = sinks[:, None, None]  # (H, 1, 1), the same for every query

    top = np.maximum(scores.max(axis=-1, keepdims=True), sink)  # (B, H, L, 1)
    exp = np.exp(scores - top)
    total = exp.sum(axis=-1, keepdims=True) + np.exp(sink - top)
    weights = exp / total  # (B, H, L, S), each row sums to less than 1
    return weights @ v  # (B, H, L, Dv)
