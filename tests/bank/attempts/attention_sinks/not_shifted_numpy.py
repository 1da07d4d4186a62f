"""Stable softmax, with exp(sink) added to the denominator."""
# causes: sink_not_shifted

import numpy as np


def attention_with_sinks(q, k, v, sinks):
    d_k = q.shape[-1]
    scores = q @ k.swapaxes(-2, -1) / np.sqrt(d_k)
    scores = scores - scores.max(axis=-1, keepdims=True)
    exp_scores = np.exp(scores)
    exp_sink = np.exp(sinks)[None, :, None, None]
    weights = exp_scores / (exp_scores.sum(axis=-1, keepdims=True) + exp_sink)
    return weights @ v
