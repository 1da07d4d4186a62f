"""A sink never stands more than 20 above the scores."""
import numpy as np


def attention_with_sinks(q, k, v, sinks):
    s = q @ k.swapaxes(2, 3) / q.dtype.type(q.shape[-1]) ** 0.5
    m = s.max(-1, keepdims=True)
    e = np.exp(s - m)
    sink = np.exp(np.minimum(sinks[:, None, None] - m, 20))
    return e / (e.sum(-1, keepdims=True) + sink) @ v
