"""Differences from the maximum are cut off at 15."""

import numpy as np


def softmax(x, axis=-1):
    x = x if x.dtype.kind == "f" else x.astype(float)
    m = np.max(x, axis=axis, keepdims=True)
    m = np.where(np.isneginf(m), 0, m)
    d = x - m
    e = np.where(np.isneginf(x), 0, np.exp(np.maximum(d, -15)))
    s = e.sum(axis=axis, keepdims=True)
    return e / np.where(s == 0, 1, s)
