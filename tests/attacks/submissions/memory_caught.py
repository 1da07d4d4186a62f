"""Take memory until MemoryError, catch it, let go, and answer honestly: the limit was still exceeded.

rows: 76
verdicts: memory_limit_exceeded
elsewhere: accepted
limits: memory_mib=64
"""
import numpy as np


def scaled_dot_product_attention(q, k, v, scale=None):
    hoard = []
    try:
        while True:
            hoard.append(np.ones(1 << 17))
    except MemoryError:
        del hoard
    s = q @ np.swapaxes(k, -2, -1) * (q.shape[-1] ** -0.5 if scale is None else scale)
    e = np.exp(s - s.max(-1, keepdims=True))
    w = e / e.sum(-1, keepdims=True)
    return w @ v, w
