"""Asks whether the maximum is 0, where the sum should be asked."""
import numpy as np


def softmax(x, axis=-1):
    top = x.max(axis=axis, keepdims=True)
    top = np.where(np.isneginf(top), 0, top)
    e = np.exp(x - top)
    return e / np.where(top == 0, 1, e.sum(axis=axis, keepdims=True))
