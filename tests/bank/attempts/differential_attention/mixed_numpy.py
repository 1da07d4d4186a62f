"""lambda of the one, the rest of the other."""
# causes: mixed

import numpy as np


def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def differential_attention(q1, k1, q2, k2, v, lam) -> np.ndarray:
    d = q1.shape[-1]
    a1 = softmax(np.matmul(q1, k1.swapaxes(2, 3)) / np.sqrt(d))
    a2 = softmax(np.matmul(q2, k2.swapaxes(2, 3)) / np.sqrt(d))
    lam = lam.reshape(-1, 1, 1)
    return ((1 - lam) * a1 + lam * a2) @ v
