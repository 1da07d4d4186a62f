"""Answer rightly, after a sleep in every case that stays below the time of one call.

rows: 69, 128
verdicts: time_limit_exceeded
limits: wall_s=10, total_s=1.0
"""
import time

import numpy as np


def scaled_dot_product_attention(q, k, v, scale=None):
    time.sleep(0.4)
    scores = q @ np.swapaxes(k, -2, -1) * np.float32(scale if scale is not None else 1 / np.sqrt(q.shape[-1]))
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = weights / weights.sum(axis=-1, keepdims=True)
    return weights @ v, weights
