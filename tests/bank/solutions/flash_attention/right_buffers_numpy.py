"""One leading index at a time, keys in blocks, everything written with out= into own buffers; the causal
rule is done by slicing off the queries that see nothing and masking in the border blocks only."""
import math

import numpy as np


def flash_attention(
    q: np.ndarray, k: np.ndarray, v: np.ndarray, block_size: int, causal: bool = False
) -> np.ndarray:
    lead, (L, D), S, Dv = q.shape[:-2], q.shape[-2:], k.shape[-2], v.shape[-1]
    out = np.zeros(lead + (L, Dv), dtype=q.dtype)
    first = max(0, L - S) if causal else 0
    rows = L - first
    step = min(block_size, S)
    buffer = np.empty((rows, step), dtype=q.dtype)
    positions = np.arange(first, L)[:, None] + (S - L)
    for index in np.ndindex(*lead):
        queries = q[index][first:] * (1 / math.sqrt(D))
        keys, values = k[index], v[index]
        m = np.full((rows, 1), -np.inf, dtype=q.dtype)
        l = np.zeros((rows, 1), dtype=q.dtype)
        o = np.zeros((rows, Dv), dtype=q.dtype)
        for a in range(0, S, step):
            b = min(a + step, S)
            s = buffer[:, : b - a]
            np.matmul(queries, keys[a:b].T, out=s)
            if causal and b - 1 > first + S - L:
                s[np.arange(a, b)[None, :] > positions] = -np.inf
            # key 0 is seen by every query that is left, so m is finite from the first block on
            new_m = np.maximum(m, s.max(axis=1, keepdims=True))
            np.subtract(s, new_m, out=s)
            np.exp(s, out=s)
            factor = np.exp(m - new_m)
            l *= factor
            l += s.sum(axis=1, keepdims=True)
            o *= factor
            o += s @ values[a:b]
            m = new_m
        np.divide(o, l, out=out[index + (slice(first, None),)])
    return out
