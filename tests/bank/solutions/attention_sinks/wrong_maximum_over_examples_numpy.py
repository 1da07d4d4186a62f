"""One maximum serves a head in all examples."""
import numpy as np


def attention_with_sinks(q, k, v, sinks):
    s = q @ k.swapaxes(2, 3) / q.dtype.type(q.shape[-1]) ** 0.5
    z = sinks[:, None, None]
    m = np.maximum(s.max((0, 3), keepdims=True), z)
    e = np.exp(s - m)
    return e / (e.sum(-1, keepdims=True) + np.exp(z - m)) @ v
