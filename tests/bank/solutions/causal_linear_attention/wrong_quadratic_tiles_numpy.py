"""Right values, and every token meets all before it: tiles of 1024 by 1024, a triangle on the diagonal."""

import numpy as np


def causal_linear_attention(q, k, v, size=1024):
    q, k = (np.where(x > 0, x + 1, np.exp(np.minimum(x, 0))) for x in (q, k))
    v = np.concatenate([v, np.ones_like(v[..., :1])], axis=-1)
    rows = []
    for i in range(0, q.shape[1], size):
        a = q[:, i : i + size]
        total = np.tril(a @ k[:, i : i + size].swapaxes(-2, -1)) @ v[:, i : i + size]
        for j in range(0, i, size):
            total = total + (a @ k[:, j : j + size].swapaxes(-2, -1)) @ v[:, j : j + size]
        rows.append(total)
    both = np.concatenate(rows, axis=1)
    return both[..., :-1] / both[..., -1:]
