"""Works in blocks of 4 and leaves the last, incomplete block of the output at zero."""

import numpy as np


def causal_linear_attention(q, k, v):
    q, k = (np.where(x > 0, x + 1, np.exp(np.minimum(x, 0))) for x in (q, k))
    size = min(4, q.shape[1])
    out = np.zeros_like(v)
    state, total = 0, 0
    for i in range(q.shape[1] // size):
        s = slice(i * size, (i + 1) * size)
        near = np.tril(q[:, s] @ k[:, s].swapaxes(1, 2))
        old, z = (q[:, s] @ state, q[:, s] @ total) if i else (0, 0)
        out[:, s] = (near @ v[:, s] + old) / (near.sum(-1, keepdims=True) + z)
        state = state + k[:, s].swapaxes(1, 2) @ v[:, s]
        total = total + k[:, s].sum(axis=1)[..., None]
    return out
