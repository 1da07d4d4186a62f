"""Everything is worked out in float32 and cast back."""
import numpy as np


def softmax(x, axis=-1):
    x = np.asarray(x)
    out = x.dtype if x.dtype.kind == "f" else np.dtype(float)
    y = x.astype(np.float32)
    m = y.max(axis=axis, keepdims=True)
    e = np.exp(y - np.where(np.isneginf(m), np.float32(0), m))
    s = e.sum(axis=axis, keepdims=True)
    return (e / np.where(s > 0, s, np.float32(1))).astype(out)
