"""softmax1: one is added to the denominator."""
# causes: one_for_the_sink

import numpy as np


def attention_with_sinks(q, k, v, sinks):
    s = q @ k.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    m = np.maximum(s.max(-1, keepdims=True), 0)
    e = np.exp(s - m)
    return e / (e.sum(-1, keepdims=True) + np.exp(-m)) @ v
