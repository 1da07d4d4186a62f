"""The axis is moved to the end and back: a non-contiguous result."""
import numpy as np


def softmax(x, axis=-1):
    y = np.moveaxis(x, axis, -1)
    top = y.max(axis=-1)
    top = np.where(np.isfinite(top), top, 0)
    e = np.exp(y - top[..., None])
    s = e.sum(axis=-1)[..., None]
    return np.moveaxis(np.divide(e, s, out=np.zeros_like(e), where=s > 0), -1, axis)
