"""Sum keys and values once."""
# causes: none

import numpy as np


def phi(x):
    return np.where(x > 0, x + 1, np.exp(np.minimum(x, 0)))


def linear_attention(q: np.ndarray, k: np.ndarray, v: np.ndarray) -> np.ndarray:
    q, k = phi(q), phi(k)
    kv = np.einsum("bnd,bnv->bdv", k, v)
    z = np.einsum("bnd,bd->bn", q, k.sum(axis=1))
    return np.einsum("bnd,bdv->bnv", q, kv) / z[..., None]
