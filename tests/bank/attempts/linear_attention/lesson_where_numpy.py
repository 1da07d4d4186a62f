"""where picks the branch of the feature map."""
# causes: none

import numpy as np


def linear_attention(q: np.ndarray, k: np.ndarray, v: np.ndarray) -> np.ndarray:
    fq = np.where(q > 0, q + 1, np.exp(q))
    fk = np.where(k > 0, k + 1, np.exp(k))
    kv = np.einsum("bnd,bnv->bdv", fk, v)
    z = np.einsum("bnd,bd->bn", fq, fk.sum(axis=1))
    return np.einsum("bnd,bdv->bnv", fq, kv) / z[:, :, None]
