"""Combine the two maps with lambda."""
# causes: added

import numpy as np


def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def differential_attention(q1, k1, q2, k2, v, lam) -> np.ndarray:
    scale = np.sqrt(q1.shape[-1])
    a1 = softmax(q1 @ k1.swapaxes(-1, -2) / scale)
    a2 = softmax(q2 @ k2.swapaxes(-1, -2) / scale)
    return (a1 + lam[:, None, None] * a2) @ v
