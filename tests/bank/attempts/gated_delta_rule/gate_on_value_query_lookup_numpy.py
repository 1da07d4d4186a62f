"""The gate belongs to the value, and the query looks up."""
# causes: gate_on_the_new_value_only, looked_up_with_the_query

import numpy as np


def delta_rule(q, k, v, beta) -> np.ndarray:
    B, H, n, D = q.shape
    M = np.zeros((B, H, D, v.shape[-1]), dtype=v.dtype)
    out = np.zeros(v.shape, dtype=v.dtype)
    for i in range(n):
        key = k[:, :, i]
        old = np.einsum("bhd,bhdv->bhv", q[:, :, i], M)
        delta = beta[:, :, i, None] * v[:, :, i] - old
        M = M + key[..., :, None] * delta[..., None, :]
        out[:, :, i] = np.einsum("bhd,bhdv->bhv", q[:, :, i], M)
    return out
