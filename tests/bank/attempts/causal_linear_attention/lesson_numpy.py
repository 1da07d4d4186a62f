"""Running sums of the keys and of keys times values."""
# causes: none

import numpy as np


def phi(x):
    return np.where(x > 0, x + 1, np.exp(np.minimum(x, 0)))


def causal_linear_attention(q: np.ndarray, k: np.ndarray, v: np.ndarray) -> np.ndarray:
    fq, fk = phi(q), phi(k)
    kv = np.cumsum(fk[..., :, None] * v[..., None, :], axis=1)
    z = np.cumsum(fk, axis=1)
    num = np.einsum("bnd,bndv->bnv", fq, kv)
    den = np.einsum("bnd,bnd->bn", fq, z)
    return num / den[..., None]
