"""lambda is a number."""
# causes: first_lambda_for_all

import numpy as np


def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def differential_attention(q1, k1, q2, k2, v, lam) -> np.ndarray:
    d = q1.shape[-1]
    a1 = softmax(np.matmul(q1, k1.swapaxes(2, 3)) / np.sqrt(d))
    a2 = softmax(np.matmul(q2, k2.swapaxes(2, 3)) / np.sqrt(d))
    return np.matmul(a1 - lam[0] * a2, v)
