"""The recurrence as it stands."""
# causes: token_by_token

import numpy as np


def retention(q, k, v, decay) -> np.ndarray:
    B, H, n, D = q.shape
    state = np.zeros((B, H, D, v.shape[-1]), dtype=v.dtype)
    out = np.zeros(v.shape, dtype=v.dtype)
    for i in range(n):
        state = decay[None, :, None, None] * state + np.einsum("bhd,bhv->bhdv", k[:, :, i], v[:, :, i])
        out[:, :, i] = np.einsum("bhd,bhdv->bhv", q[:, :, i], state)
    return out
