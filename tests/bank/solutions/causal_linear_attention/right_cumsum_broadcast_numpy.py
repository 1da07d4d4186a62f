"""One running sum of all outer products, by broadcasting and matmul."""

import numpy as np


def causal_linear_attention(q, k, v):
    phi = lambda x: np.where(x > 0, x + 1, np.exp(np.minimum(x, 0)))
    q, k = phi(q), phi(k)
    kv = np.cumsum(k[:, :, :, None] * v[:, :, None, :], axis=1)  # (B, n, D, Dv)
    z = np.cumsum(k, axis=1)
    return (q[:, :, None, :] @ kv)[:, :, 0, :] / np.sum(q * z, axis=-1, keepdims=True)
