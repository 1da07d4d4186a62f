"""Both sets in one array, one softmax for both, and a vector (1, -lambda) at the end."""
import numpy as np


def differential_attention(q1, k1, q2, k2, v, lam):
    q, k = np.stack([q1, q2]), np.stack([k1, k2])
    s = np.matmul(q, np.swapaxes(k, -1, -2)) / q.shape[-1] ** 0.5
    s = s - s.max(axis=-1, keepdims=True)
    w = np.exp(s)
    w /= w.sum(axis=-1, keepdims=True)
    signs = np.stack([np.ones_like(lam), -lam])[:, None, :, None, None]
    return (w * signs).sum(axis=0) @ v
