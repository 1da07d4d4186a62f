"""Queries over the root of D read from the running summary."""
# causes: no_normaliser, scaled

import numpy as np


def causal_linear_attention(q: np.ndarray, k: np.ndarray, v: np.ndarray) -> np.ndarray:
    q = q / np.sqrt(q.shape[-1])
    fq = np.where(q > 0, q + 1, np.exp(np.minimum(q, 0)))
    fk = np.where(k > 0, k + 1, np.exp(np.minimum(k, 0)))
    kv = np.cumsum(fk[..., None] * v[:, :, None, :], axis=1)
    return np.einsum("bnd,bndv->bnv", fq, kv)
