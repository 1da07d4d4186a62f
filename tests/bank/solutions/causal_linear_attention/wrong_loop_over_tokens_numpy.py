"""Right values, one Python step for each token, in its leanest form: one product, one sum and one matmul a step."""

import numpy as np


def causal_linear_attention(q, k, v):
    q, k = (np.where(x > 0, x + 1, np.exp(np.minimum(x, 0))) for x in (q, k))
    out = np.empty_like(v)
    state, total = 0, 0
    for i in range(q.shape[1]):
        state = state + k[:, i, :, None] * v[:, i, None, :]
        total = total + k[:, i]
        out[:, i] = (q[:, i, None] @ state)[:, 0] / (q[:, i] * total).sum(-1, keepdims=True)
    return out
