"""Works in blocks of 64 and starts each block with an empty summary, so a block does not see the blocks before it."""

import numpy as np


def causal_linear_attention(q, k, v):
    q, k = (np.where(x > 0, x + 1, np.exp(np.minimum(x, 0))) for x in (q, k))
    rows = []
    for i in range(0, q.shape[1], 64):
        near = np.tril(q[:, i : i + 64] @ k[:, i : i + 64].swapaxes(1, 2))
        rows.append(near @ v[:, i : i + 64] / near.sum(axis=-1, keepdims=True))
    return np.concatenate(rows, axis=1)
