"""Write, then let everything fade, then read: step by step."""
# causes: token_by_token, new_token_fades

import numpy as np


def ssd(x, a, b, c, chunk):
    B, H, n, Dv = x.shape
    h = np.zeros((B, H, b.shape[2], Dv), x.dtype)
    out = []
    for t in range(n):
        h = a[:, :, t, None, None] * (h + b[:, t, None, :, None] * x[:, :, t, None])
        out.append((c[:, t, None, None] @ h)[:, :, 0])
    return np.stack(out, 2)
