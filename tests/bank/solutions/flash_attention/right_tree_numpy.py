"""Recursion: the range of keys is halved until it is a block, and the (m, l, o) of two halves are merged."""
import math

import numpy as np


def flash_attention(
    q: np.ndarray, k: np.ndarray, v: np.ndarray, block_size: int, causal: bool = False
) -> np.ndarray:
    L, S = q.shape[-2], k.shape[-2]
    last_seen = np.arange(L) + (S - L) if causal else np.full(L, S - 1)
    scale = 1.0 / math.sqrt(q.shape[-1])

    def state(a, b):
        if b - a > block_size:
            middle = (a + b) // 2
            return merge(state(a, middle), state(middle, b))
        s = np.matmul(q, np.swapaxes(k[..., a:b, :], -1, -2)) * scale
        s = np.where(np.arange(a, b) <= last_seen[:, None], s, -np.inf).astype(q.dtype, copy=False)
        m = s.max(axis=-1, keepdims=True)
        e = np.exp(s - np.where(np.isneginf(m), 0, m).astype(q.dtype, copy=False))
        return m, e.sum(axis=-1, keepdims=True), np.matmul(e, v[..., a:b, :])

    def merge(left, right):
        m = np.maximum(left[0], right[0])
        base = np.where(np.isneginf(m), 0, m).astype(q.dtype, copy=False)
        x, y = np.exp(left[0] - base), np.exp(right[0] - base)
        return m, left[1] * x + right[1] * y, left[2] * x + right[2] * y

    _, l, o = state(0, S)
    return o / np.where(l == 0, 1, l).astype(q.dtype, copy=False)
