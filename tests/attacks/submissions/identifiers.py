"""Use identifiers that look alike, that normalise to others, and that run from right to left; answer honestly.

rows: 113
verdicts: accepted
"""
import numpy as np

ſcale_factor = 1
ﬁnal = 2
א = 3


def ｓcaled_dot_product_attention(q, k, v, scale=None):
    assert final == 2 and scale_factor == 1 and א == 3
    s = q @ np.swapaxes(k, -2, -1) * (q.shape[-1] ** -0.5 if scale is None else scale)
    e = np.exp(s - s.max(-1, keepdims=True))
    w = e / e.sum(-1, keepdims=True)
    return w @ v, w
