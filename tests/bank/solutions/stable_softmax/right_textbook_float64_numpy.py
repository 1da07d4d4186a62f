"""float64 throughout, and float64 comes out."""
import numpy as np


def softmax(x, axis=-1):
    x = np.array(x, dtype=np.float64)
    m = x.max(axis=axis, keepdims=True)
    m[np.isneginf(m)] = 0
    e = np.exp(x - m)
    s = e.sum(axis=axis, keepdims=True)
    return np.divide(e, s, out=np.zeros_like(e), where=s != 0)
