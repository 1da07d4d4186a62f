"""x is shifted in place and shifted back: an array that cannot be written to refuses."""
import numpy as np


def softmax(x, axis=-1):
    kept = x.copy()
    top = x.max(axis=axis, keepdims=True)
    x -= np.where(np.isneginf(top), 0, top).astype(x.dtype)
    e = np.exp(x)
    x[...] = kept
    s = e.sum(axis=axis, keepdims=True)
    return e / np.where(s == 0, 1, s)
