"""Einsum throughout, with the feature map in two assignments."""

import numpy as np


def phi(x):
    out = x + 1
    negative = x < 0
    out[negative] = np.exp(x[negative])
    return out


def linear_attention(q, k, v):
    q, k = phi(q), phi(k)
    kv = np.einsum("bnd,bne->bde", k, v)
    z = np.einsum("bnd,bd->bn", q, k.sum(axis=1))
    return np.einsum("bnd,bde->bne", q, kv) / z[..., None]
