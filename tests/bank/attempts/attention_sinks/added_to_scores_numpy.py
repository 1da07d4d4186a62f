"""Adds the sink to the scores of its head."""
# causes: sink_ignored

import numpy as np


def attention_with_sinks(q, k, v, sinks):
    D = q.shape[-1]
    scores = q @ k.swapaxes(-1, -2) / np.sqrt(D) + sinks[None, :, None, None]
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True) @ v
