"""Integers are clipped at 50."""

import numpy as np


def softmax(x, axis=-1):
    x = x if x.dtype.kind == 'f' else np.clip(x, -50, 50)
    m = x.max(axis=axis, keepdims=True)
    if x.dtype.kind == "f":
        m = np.where(np.isneginf(m), 0, m).astype(x.dtype)
    e = np.exp(x - m)
    s = e.sum(axis=axis, keepdims=True)
    return e / np.where(s == 0, 1, s).astype(e.dtype)
