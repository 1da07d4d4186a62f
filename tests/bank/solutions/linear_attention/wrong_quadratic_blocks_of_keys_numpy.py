"""Right values, and every query meets every key: all queries at once with blocks of 128 keys, in running sums."""

import numpy as np


def linear_attention(q, k, v):
    q, k = (np.where(x > 0, x + 1, np.exp(np.minimum(x, 0))) for x in (q, k))
    v = np.concatenate([v, np.ones_like(v[..., :1])], axis=-1)
    total = 0
    for i in range(0, k.shape[1], 128):
        total = total + (q @ k[:, i : i + 128].swapaxes(-2, -1)) @ v[:, i : i + 128]
    return total[..., :-1] / total[..., -1:]
