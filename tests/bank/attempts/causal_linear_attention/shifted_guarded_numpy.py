"""The sums before the token, with a guard."""
# causes: itself_left_out

import numpy as np


def phi(x):
    return np.where(x > 0, x + 1, np.exp(np.minimum(x, 0)))


def causal_linear_attention(q, k, v):
    a, b = phi(q), phi(k)
    terms = b[..., None] * v[:, :, None, :]
    before = np.concatenate([np.zeros_like(terms[:, :1]), terms.cumsum(axis=1)[:, :-1]], axis=1)
    keys = np.concatenate([np.zeros_like(b[:, :1]), b.cumsum(axis=1)[:, :-1]], axis=1)
    above = (a[..., None] * before).sum(axis=2)
    return above / ((a * keys).sum(axis=2, keepdims=True) + 1e-7)
