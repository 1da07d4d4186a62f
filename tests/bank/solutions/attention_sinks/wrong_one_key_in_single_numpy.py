"""With a single key the weight is computed in float32."""

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
    if scores.shape[-1] == 1:
        s32, t32 = scores.astype(np.float32), (sink + np.zeros_like(scores)).astype(np.float32)
        m = np.maximum(s32, t32)
        weights = (np.exp(s32 - m) / (np.exp(s32 - m) + np.exp(t32 - m))).astype(scores.dtype)
    return weights @ v  # (B, H, L, Dv)
