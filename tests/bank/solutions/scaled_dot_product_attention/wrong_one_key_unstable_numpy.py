"""With a single key the maximum is not subtracted."""
import numpy as np


def scaled_dot_product_attention(q, k, v, scale=None):
    s = q @ np.swapaxes(k, -1, -2) * (q.shape[-1] ** -0.5 if scale is None else scale)
    if k.shape[-2] > 1:
        s = s - s.max(axis=-1, keepdims=True)
    e = np.exp(s)
    w = e / e.sum(axis=-1, keepdims=True)
    return w @ v, w
