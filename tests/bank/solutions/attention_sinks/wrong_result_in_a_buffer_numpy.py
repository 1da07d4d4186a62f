"""The result lies in a buffer that the next call uses again."""
import math
import numpy as np


_buf = {}

def attention_with_sinks(q, k, v, sinks):
    s = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1]).astype(q.dtype)
    z = sinks[:, None, None]
    m = np.maximum(s.max(-1, keepdims=True), z)
    e = np.exp(s - m)
    w = e / (e.sum(-1, keepdims=True) + np.exp(z - m))
    shape = q.shape[:-1] + v.shape[-1:]
    out = _buf.setdefault((shape, q.dtype.str), np.empty(shape, q.dtype))
    np.matmul(w, v, out=out)
    return out
