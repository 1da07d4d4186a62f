"""Features are exponentials, scaled."""
# causes: exponential_features

import numpy as np


def phi(x):
    return np.exp(x) / np.sqrt(x.shape[-1])


def causal_linear_attention(q, k, v):
    fq, fk = phi(q), phi(k)
    kv = np.cumsum(fk[..., :, None] * v[..., None, :], axis=1)
    z = np.cumsum(fk, axis=1)
    num = np.einsum("bnd,bnde->bne", fq, kv)
    den = np.einsum("bnd,bnd->bn", fq, z)
    return num / den[..., None]
