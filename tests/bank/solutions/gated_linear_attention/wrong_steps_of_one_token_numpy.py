"""One step of Python for each token."""
import numpy as np


def gated_linear_attention(q, k, v, gates, chunk):
    state = np.zeros((*q.shape[:2], q.shape[3], v.shape[3]), v.dtype)
    rows = []
    for t in range(q.shape[2]):
        state = np.einsum("bhd,bhdv->bhdv", gates[:, :, t], state)
        state = state + np.einsum("bhd,bhv->bhdv", k[:, :, t], v[:, :, t])
        rows.append(np.einsum("bhd,bhdv->bhv", q[:, :, t], state))
    return np.stack(rows, axis=2)
