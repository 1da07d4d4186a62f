"""With a scale of its own the softmax forgets the maximum."""
import numpy as np


def scaled_dot_product_attention(q, k, v, scale=None):
    s = q @ np.swapaxes(k, -1, -2)
    if scale is None:
        s = s / q.dtype.type(q.shape[-1] ** 0.5)
        s = s - s.max(-1, keepdims=True)
    else:
        s = s * q.dtype.type(scale)
    e = np.exp(s)
    w = e / e.sum(-1, keepdims=True)
    return w @ v, w
