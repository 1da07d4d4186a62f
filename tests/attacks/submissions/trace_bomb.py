"""Compute more values than a trace can keep: large arrays in a long loop, in many small functions.

rows: 76
verdicts: wrong_answer, time_limit_exceeded
limits: wall_s=0.5
"""
import numpy as np


def step(x, n):
    y = np.full((256, 1024), x)
    z = [y, y.T, {"y": y, "n": [n] * 1000}]
    name = "x" * 100_000
    return y, z, name


def scaled_dot_product_attention(q, k, v, scale=None):
    for n in range(100_000):
        y, z, name = step(float(n), n)
        (a, *b), c = (y, y, y), [n for n in range(50)]
    return np.zeros((*q.shape[:-1], v.shape[-1]), q.dtype), np.zeros((*q.shape[:-1], k.shape[-2]), q.dtype)
