"""An honest solution that loops in Python and sleeps a little, well within its limits.

rows: none
verdicts: accepted
"""
import time

import numpy as np


def scaled_dot_product_attention(q, k, v, scale=None):
    time.sleep(0.02)
    s = q @ np.swapaxes(k, -2, -1) * (q.shape[-1] ** -0.5 if scale is None else scale)
    flat = s.reshape(-1, s.shape[-1])
    rows = []
    for row in flat:
        e = np.exp(row - row.max())
        rows.append(e / e.sum())
    w = np.stack(rows).reshape(s.shape)
    return w @ v, w
