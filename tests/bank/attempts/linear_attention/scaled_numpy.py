"""Divide by the root of D as always, and use the features."""
# causes: scaled

import numpy as np


def linear_attention(q: np.ndarray, k: np.ndarray, v: np.ndarray) -> np.ndarray:
    q = q / np.sqrt(q.shape[-1])
    fq = np.where(q > 0, q + 1, np.exp(np.minimum(q, 0)))
    fk = np.where(k > 0, k + 1, np.exp(np.minimum(k, 0)))
    kv = fk.swapaxes(1, 2) @ v
    return fq @ kv / (fq @ fk.sum(axis=1)[:, :, None])
