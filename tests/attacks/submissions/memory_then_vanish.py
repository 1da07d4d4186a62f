"""Use three times the memory allowed, send the honest answer of the last case by hand, and end the process before anybody looks.

rows: 76, 24
verdicts: memory_limit_exceeded, runtime_error, wrong_answer
limits: memory_mib=64
"""
import os
import sys

import numpy as np

child = sys.modules["grader.inside.child"]
send = child.send


def vanish(meta, tensors):
    send(meta, tensors)
    if q_rows == 257:
        os._exit(0)


child.send = vanish
q_rows = 0


def scaled_dot_product_attention(q, k, v, scale=None):
    global q_rows
    q_rows = q.shape[-2]
    if q_rows == 257:
        hoard = [np.ones(1 << 17) for _ in range(100)]
        hoard.clear()
    s = q @ np.swapaxes(k, -2, -1) * (q.shape[-1] ** -0.5 if scale is None else scale)
    e = np.exp(s - s.max(-1, keepdims=True))
    w = e / e.sum(-1, keepdims=True)
    return w @ v, w
