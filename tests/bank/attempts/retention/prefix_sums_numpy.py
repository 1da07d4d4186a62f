"""Divide the keys by powers, sum, and multiply back."""
# causes: powers_of_the_inverse

import numpy as np


def retention(q, k, v, decay) -> np.ndarray:
    n = q.shape[2]
    power = decay[:, None] ** np.arange(n, dtype=q.dtype)
    sums = np.cumsum((k / power[..., None])[..., None] * v[:, :, :, None, :], axis=2)
    return np.einsum("bhnd,bhndv->bhnv", q * power[..., None], sums)
