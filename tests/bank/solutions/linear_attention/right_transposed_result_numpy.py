"""Works in (B, D, n) with broadcasting and returns a non-contiguous view."""

import numpy as np


def linear_attention(q, k, v):
    feature = lambda x: np.maximum(x, 0) + np.exp(-np.maximum(-x, 0))
    q, k, v = feature(q).swapaxes(1, 2), feature(k).swapaxes(1, 2), v.swapaxes(1, 2)
    kv = (k[:, :, None, :] * v[:, None, :, :]).sum(axis=-1)  # (B, D, Dv)
    out = kv.swapaxes(1, 2) @ q / (q * k.sum(axis=-1, keepdims=True)).sum(axis=1, keepdims=True)
    return out.swapaxes(1, 2)
