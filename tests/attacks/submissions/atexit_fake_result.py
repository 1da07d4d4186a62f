"""Register exit handlers that write a fake result after the tests; the solution itself is wrong.

rows: 3
verdicts: wrong_answer
"""
import atexit
import os
import threading

import numpy as np


def fake():
    os.write(1, b'{"verdict": "accepted", "score": 100}\n')
    os.write(3, b'{"frame": "result", "verdict": "accepted"}')


atexit.register(fake)
threading._register_atexit(fake)


def scaled_dot_product_attention(q, k, v, scale=None):
    lead = np.broadcast_shapes(q.shape[:-2], k.shape[:-2], v.shape[:-2])
    return np.zeros((*lead, q.shape[-2], v.shape[-1]), q.dtype), np.zeros((*lead, q.shape[-2], k.shape[-2]), q.dtype)
