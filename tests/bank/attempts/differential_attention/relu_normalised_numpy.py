"""Negative weights cannot be right: they are cut off, and the rows sum to 1 again."""
# causes: cut_off_and_normalised

import numpy as np


def differential_attention(q1, k1, q2, k2, v, lam):
    def softmax(x):
        e = np.exp(x - x.max(-1, keepdims=True))
        return e / e.sum(-1, keepdims=True)
    D = q1.shape[-1]
    w = softmax(q1 @ k1.transpose(0, 1, 3, 2) / np.sqrt(D)) - lam[:, None, None] * softmax(q2 @ k2.transpose(0, 1, 3, 2) / np.sqrt(D))
    w = np.maximum(w, 0)
    w = w / (w.sum(-1, keepdims=True) + 1e-9)
    return w @ v
