"""where picks the branch of the feature map."""
# causes: none

import numpy as np


def causal_linear_attention(q: np.ndarray, k: np.ndarray, v: np.ndarray) -> np.ndarray:
    fq = np.where(q > 0, q + 1, np.exp(q))
    fk = np.where(k > 0, k + 1, np.exp(k))
    kv = np.cumsum(fk[..., None] * v[:, :, None, :], axis=1)
    num = np.einsum("bnd,bndv->bnv", fq, kv)
    den = np.einsum("bnd,bnd->bn", fq, np.cumsum(fk, axis=1))
    return num / den[..., None]
