"""Half of the scale on the queries and half on the keys; a constant added to each row of scores."""
import numpy as np


def scaled_dot_product_attention(q, k, v, scale=None):
    if scale is None:
        scale = 1.0 / float(np.sqrt(q.shape[-1]))
    root = abs(scale) ** 0.5
    s = (q * root * np.sign(scale).astype(q.dtype)) @ (k * root).swapaxes(-1, -2)
    s = s + 3.0
    e = np.exp(s - s.max(-1, keepdims=True))
    w = e / e.sum(-1, keepdims=True)
    return w @ v, w
