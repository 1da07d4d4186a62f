"""In another style: einsum."""

import numpy as np


def attention(q, k, v):
    s = np.einsum("d,nd->n", q, k) * q.shape[-1] ** -0.5
    s = np.exp(s - np.max(s))
    s /= np.add.reduce(s)
    return np.einsum("n,ne->e", s, v), s
