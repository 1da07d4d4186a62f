"""Attend twice and subtract the outputs."""
# causes: none

import numpy as np


def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


def differential_attention(q1, k1, q2, k2, v, lam) -> np.ndarray:
    def attend(q, k):
        scores = np.einsum("bhid,bhjd->bhij", q, k) / np.sqrt(q.shape[3])
        return np.einsum("bhij,bhjv->bhiv", softmax(scores), v)

    return attend(q1, k1) - lam[None, :, None, None] * attend(q2, k2)
