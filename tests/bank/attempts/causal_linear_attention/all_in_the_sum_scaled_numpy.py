"""The denominator sums over all keys; scaled queries."""
# causes: total_normaliser, scaled

import numpy as np


def phi(x):
    return np.where(x > 0, x + 1, np.exp(np.minimum(x, 0)))


def causal_linear_attention(q, k, v):
    a, b = phi(q / q.shape[2] ** 0.5), phi(k)
    state = np.cumsum(np.einsum("bnd,bnv->bndv", b, v), axis=1)
    return np.einsum("bnd,bndv->bnv", a, state) / (np.einsum('bnd,bd->bn', a, b.sum(axis=1))[:, :, None])
