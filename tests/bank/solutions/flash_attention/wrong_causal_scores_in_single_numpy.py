"""Where it is causal, the scores are filled into an array of float32."""

import math

import numpy as np


def flash_attention(q, k, v, block_size, causal=False):
    """q (..., L, D), k (..., S, D), v (..., S, Dv) -> output (..., L, Dv)."""
    L, S, D = q.shape[-2], k.shape[-2], q.shape[-1]
    last = np.arange(L)[:, None] + S - L  # (L, 1), the last key that each query may see

    maximum = np.full((*q.shape[:-1], 1), -np.inf, q.dtype)  # (..., L, 1), of the scores so far
    total = np.zeros((*q.shape[:-1], 1), q.dtype)  # (..., L, 1), of their exponentials
    output = np.zeros((*q.shape[:-1], v.shape[-1]), q.dtype)  # (..., L, Dv), not yet normalised
    for start in range(0, S, block_size):
        keys = k[..., start : start + block_size, :]  # (..., n, D), n <= block_size
        values = v[..., start : start + block_size, :]  # (..., n, Dv)
        scores = q @ keys.swapaxes(-2, -1) / math.sqrt(D)  # (..., L, n)
        if causal:
            positions = start + np.arange(keys.shape[-2])
            seen = np.full(scores.shape, -np.inf, dtype=np.float32)
            np.copyto(seen, scores, casting="same_kind", where=positions <= last)
            scores = seen

        higher = np.maximum(maximum, scores.max(axis=-1, keepdims=True))
        shift = np.where(np.isneginf(higher), 0, higher)  # -inf - -inf would be NaN
        factor = np.exp(maximum - shift)  # makes what is there relative to the new maximum
        weights = np.exp(scores - shift)  # (..., L, n)
        total = total * factor + weights.sum(axis=-1, keepdims=True)
        output = output * factor + weights @ values
        maximum = higher
    return (output / np.where(total == 0, 1, total)).astype(q.dtype)  # a query that sees nothing keeps its 0
