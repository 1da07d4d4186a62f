"""Answer honestly, with a little noise, half of the time: sending it again must not help.

rows: 67
verdicts: wrong_answer
"""
import random

import numpy as np


def scaled_dot_product_attention(q, k, v, scale=None):
    s = q @ np.swapaxes(k, -2, -1) * (q.shape[-1] ** -0.5 if scale is None else scale)
    e = np.exp(s - s.max(-1, keepdims=True))
    w = e / e.sum(-1, keepdims=True)
    return w @ v + (random.random() < 0.5) * 0.01, w
