"""Right values, and linear, but Python takes a step for every token."""

import numpy as np


def linear_attention(q, k, v):
    q, k = (np.where(x > 0, x + 1, np.exp(np.minimum(x, 0))) for x in (q, k))
    memory, total = 0, 0
    for i in range(k.shape[1]):
        memory = memory + k[:, i, :, None] * v[:, i, None, :]
        total = total + k[:, i, :, None]
    return np.stack([(q[:, i, None] @ memory / (q[:, i, None] @ total))[:, 0] for i in range(q.shape[1])], axis=1)
