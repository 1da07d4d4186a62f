"""In another style: vectorize."""

import numpy as np


def base(q, k, v, scale):
    s = q @ k.T * scale
    w = np.exp(s - s.max(1, keepdims=True))
    w /= w.sum(1, keepdims=True)
    return w


f = np.vectorize(base, signature="(l,d),(s,d),(s,e),()->(l,s)")


def scaled_dot_product_attention(q, k, v, scale=None):
    scale = 1 / np.sqrt(q.shape[-1]) if scale is None else scale
    d = q.dtype
    a, b = np.broadcast_shapes(q.shape[:-2], k.shape[:-2]), 0
    q2, k2 = np.broadcast_to(q, a + q.shape[-2:]), np.broadcast_to(k, a + k.shape[-2:])
    w = f(q2, k2, np.zeros(k.shape[-2:], d), scale).astype(d)
    return w @ v, w
