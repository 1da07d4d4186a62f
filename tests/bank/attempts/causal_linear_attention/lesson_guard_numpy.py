"""With the usual 1e-9."""
# causes: none

import numpy as np


def causal_linear_attention(q: np.ndarray, k: np.ndarray, v: np.ndarray) -> np.ndarray:
    fq = np.where(q > 0, q + 1, np.exp(np.minimum(q, 0)))
    fk = np.where(k > 0, k + 1, np.exp(np.minimum(k, 0)))
    kv = np.einsum("bnd,bnv->bndv", fk, v).cumsum(axis=1)
    num = (fq[..., None] * kv).sum(axis=2)
    den = (fq * fk.cumsum(axis=1)).sum(axis=-1, keepdims=True)
    return num / (den + 1e-9)
