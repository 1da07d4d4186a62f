"""Read the memory, then write the token."""
# causes: token_by_token, itself_left_out

import numpy as np


def retention(q, k, v, decay) -> np.ndarray:
    B, H, n, D = q.shape
    state = np.zeros((B, H, D, v.shape[-1]), dtype=v.dtype)
    out = np.zeros(v.shape, dtype=v.dtype)
    for i in range(n):
        state = decay[:, None, None] * state
        out[:, :, i] = (q[:, :, i, None, :] @ state)[:, :, 0]
        state = state + k[:, :, i, :, None] * v[:, :, i, None, :]
    return out
