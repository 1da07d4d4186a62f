"""q is scaled in place and scaled back: an array that cannot be written to refuses."""
import numpy as np


def scaled_dot_product_attention(q, k, v, scale=None):
    if scale is None:
        scale = q.shape[-1] ** -0.5
    kept = q.copy()
    q *= scale
    s = q @ np.swapaxes(k, -1, -2)
    q[...] = kept
    e = np.exp(s - s.max(axis=-1, keepdims=True))
    w = e / e.sum(axis=-1, keepdims=True)
    return w @ v, w
