"""In another style: list return."""

import math


def batch_attention(q, k, v):
    s = q @ k.T / math.sqrt(k.shape[1])
    s = s - (s.max(1, keepdims=True) if hasattr(s, "astype") else s.amax(1, keepdim=True))
    e = math.e**s
    w = e / e.sum(1)[:, None]
    return [w @ v, w]
