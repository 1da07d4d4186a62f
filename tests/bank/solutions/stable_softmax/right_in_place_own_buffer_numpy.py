"""In another style: in place own buffer."""

import numpy as np


def softmax(x, axis=-1):
    b = np.array(x, dtype=x.dtype if x.dtype.kind == "f" else float)
    b -= np.maximum(b.max(axis=axis, keepdims=True), np.finfo(b.dtype).min)
    np.exp(b, out=b)
    s = b.sum(axis=axis, keepdims=True)
    np.divide(b, s, out=b, where=s > 0)
    return b
