"""Answer honestly in objects whose deleters and weak references run code: where they run, nobody else's code does.

rows: 59
verdicts: accepted
"""
import os
import weakref

import numpy as np


class Bomb:
    def __del__(self):
        try:
            open("/tmp/attack-residue-del", "w")
            print("BREACH a deleter wrote a file")
        except OSError:
            pass


held = []


def scaled_dot_product_attention(q, k, v, scale=None):
    held.append(Bomb())
    weakref.finalize(held[-1], print, "finalised")
    held.clear()
    s = q @ np.swapaxes(k, -2, -1) * (q.shape[-1] ** -0.5 if scale is None else scale)
    e = np.exp(s - s.max(-1, keepdims=True))
    w = e / e.sum(-1, keepdims=True)
    return w @ v, w
