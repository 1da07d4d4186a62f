"""An honest solution that recurses 3,000 deep and holds 200 MiB for a moment.

rows: none
verdicts: accepted
"""
import sys

import numpy as np

sys.setrecursionlimit(10_000)


def depth(n):
    return 0 if n == 0 else 1 + depth(n - 1)


def scaled_dot_product_attention(q, k, v, scale=None):
    assert depth(3000) == 3000
    if q.shape[-2] == 5:
        assert np.ones(25 << 20).sum() == 25 << 20
    s = q @ np.swapaxes(k, -2, -1) * (q.shape[-1] ** -0.5 if scale is None else scale)
    e = np.exp(s - s.max(-1, keepdims=True))
    w = e / e.sum(-1, keepdims=True)
    return w @ v, w
