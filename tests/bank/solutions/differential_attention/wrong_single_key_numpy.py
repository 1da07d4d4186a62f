"""With a single key its value is returned once, not for each query."""

import numpy as np


def _softmax(s):
    e = np.exp(s - s.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def differential_attention(q1, k1, q2, k2, v, lam):
    factor = lam[None, :, None, None]
    if v.shape[2] == 1:
        return (1 - factor) * v
    scale = q1.shape[-1] ** -0.5
    first = _softmax(q1 @ np.swapaxes(k1, 2, 3) * scale)
    second = _softmax(q2 @ np.swapaxes(k2, 2, 3) * scale)
    return (first - factor * second) @ v
