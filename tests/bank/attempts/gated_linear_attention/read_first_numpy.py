"""The memory is read before the gates act and the token is written."""
# causes: read_before_the_step, token_by_token

import numpy as np


def gated_linear_attention(q, k, v, gates, chunk):
    B, H, n, D = q.shape
    M = np.zeros((B, H, D, v.shape[-1]), dtype=q.dtype)
    out = np.zeros_like(v)
    for t in range(n):
        out[:, :, t] = (q[:, :, t, :, None] * M).sum(2)
        M = gates[:, :, t, :, None] * M + k[:, :, t, :, None] * v[:, :, t, None, :]
    return out
