"""As in the statement, with np.mean and np.sqrt."""
import numpy as np


def qk_norm_attention(q, k, v, gain_q, gain_k, eps):
    def norm(x, g):
        return x * g / np.sqrt(np.mean(x**2, axis=-1, keepdims=True) + eps)

    s = norm(q, gain_q) @ norm(k, gain_k).transpose(0, 1, 3, 2) / np.sqrt(q.shape[-1])
    e = np.exp(s - s.max(axis=-1, keepdims=True))
    return e / (e.sum(axis=-1, keepdims=True) + 1e-9) @ v
