"""A lambda below 1e-4 is none."""
import numpy as np


def differential_attention(q1, k1, q2, k2, v, lam):
    def weights(q, k):
        s = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1]).astype(q.dtype)
        e = np.exp(s - s.max(-1, keepdims=True))
        return e / e.sum(-1, keepdims=True)

    lam = np.where(abs(lam) < 1e-4, 0, lam)
    w = weights(q1, k1) - lam[:, None, None] * weights(q2, k2)
    return w @ v
