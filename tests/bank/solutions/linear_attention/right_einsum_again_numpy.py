"""In another style: einsum."""

import numpy as np


def phi(x):
    return np.where(x > 0, x, np.expm1(np.minimum(x, 0))) + 1


def linear_attention(q, k, v):
    a, b = phi(q), phi(k)
    kv = np.einsum("bnd,bne->bde", b, v, optimize=True)
    z = np.einsum("bnd,bd->bn", a, b.sum(1))
    return np.einsum("bnd,bde->bne", a, kv, optimize=True) / z[..., None]
