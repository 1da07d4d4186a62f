"""All changes at once: they solve a triangular system over the whole text."""
import numpy as np


def delta_rule(q, k, v, beta):
    q, k, v, beta = (np.asarray(x, dtype=np.float64) for x in (q, k, v, beta))
    n = q.shape[2]
    near = np.tril(k @ k.swapaxes(-1, -2), -1) * beta[..., None]
    changes = np.linalg.solve(np.eye(n) + near, beta[..., None] * v)
    return np.tril(q @ k.swapaxes(-1, -2)) @ changes
