"""float64 throughout, with the usual 1e-6 in the denominator."""
import numpy as np


def phi(x):
    return np.where(x > 0, x, np.exp(np.minimum(x, 0)) - 1) + 1.0


def linear_attention(q, k, v):
    q, k = phi(q.astype(np.float64)), phi(k.astype(np.float64))
    kv = np.einsum("bnd,bne->bde", k, v)
    z = 1 / (np.einsum("bnd,bd->bn", q, k.sum(axis=1)) + 1e-6)
    return np.einsum("bnd,bde,bn->bne", q, kv, z)
