"""Two maps of weights, and their difference."""
# causes: none

import numpy as np


def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def differential_attention(q1, k1, q2, k2, v, lam) -> np.ndarray:
    d = q1.shape[-1]
    a1 = softmax(q1 @ k1.transpose(0, 1, 3, 2) / np.sqrt(d))
    a2 = softmax(q2 @ k2.transpose(0, 1, 3, 2) / np.sqrt(d))
    return (a1 - lam.reshape(1, -1, 1, 1) * a2) @ v
