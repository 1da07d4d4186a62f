"""The sink joins the denominator as a number; the root is forgotten."""
# causes: sink_not_exponentiated, no_scale

import numpy as np


def attention_with_sinks(q, k, v, sinks):
    s = q @ k.swapaxes(-1, -2)
    e = np.exp(s - s.max(axis=-1, keepdims=True))
    total = e.sum(axis=-1, keepdims=True) + sinks.reshape(1, -1, 1, 1)
    return e / total @ v
