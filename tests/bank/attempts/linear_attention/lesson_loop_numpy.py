"""Each example of the batch in a loop."""
# causes: none

import numpy as np


def linear_attention(q: np.ndarray, k: np.ndarray, v: np.ndarray) -> np.ndarray:
    out = np.zeros((q.shape[0], q.shape[1], v.shape[2]))
    for b in range(q.shape[0]):
        fq = np.where(q[b] > 0, q[b] + 1, np.exp(np.minimum(q[b], 0)))
        fk = np.where(k[b] > 0, k[b] + 1, np.exp(np.minimum(k[b], 0)))
        out[b] = (fq @ (fk.T @ v[b])) / (fq @ fk.sum(axis=0))[:, None]
    return out
