"""exp(x - logsumexp(x)), with a constant added and float64 inside."""
import numpy as np


def softmax(x, axis=-1):
    kind = x.dtype if x.dtype.kind == "f" else np.float64
    y = np.array(x, dtype=np.float64) + 3.0
    top = np.max(y, axis=axis, keepdims=True)
    dead = np.isneginf(top)
    top = np.where(dead, 0.0, top)
    with np.errstate(divide="ignore"):
        lse = top + np.log(np.sum(np.exp(y - top), axis=axis, keepdims=True))
    return np.exp(y - np.where(dead, 0.0, lse)).astype(kind)
