"""An RNN that reads before it writes."""
# causes: too_many_steps, itself_left_out

import numpy as np


def causal_linear_attention(q: np.ndarray, k: np.ndarray, v: np.ndarray) -> np.ndarray:
    B, n, D = q.shape
    fq = np.where(q > 0, q + 1, np.exp(np.minimum(q, 0)))
    fk = np.where(k > 0, k + 1, np.exp(np.minimum(k, 0)))
    s = np.zeros((B, D, v.shape[2]), dtype=v.dtype)
    z = np.zeros((B, D), dtype=v.dtype)
    out = np.zeros(v.shape, dtype=v.dtype)
    for i in range(n):
        out[:, i] = np.einsum("bd,bdv->bv", fq[:, i], s) / (np.sum(fq[:, i] * z, -1)[:, None] + 1e-9)
        s += fk[:, i, :, None] * v[:, i, None, :]
        z += fk[:, i]
    return out
