"""The state is read before it fades and the token is written."""
# causes: read_before_the_step, token_by_token

import numpy as np


def ssd(x, a, b, c, chunk):
    B, H, n, E = x.shape
    h = np.zeros((B, H, b.shape[-1], E), dtype=x.dtype)
    y = np.zeros_like(x)
    for t in range(n):
        y[:, :, t] = (c[:, None, t, :, None] * h).sum(-2)
        h = a[:, :, t, None, None] * h + b[:, None, t, :, None] * x[:, :, t, None, :]
    return y
