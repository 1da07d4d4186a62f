"""The formulas, with a mask of minus infinity."""
# causes: blind_row_nan

import numpy as np


def attention_backward(q, k, v, grad_output, causal=False):
    L, S, D = q.shape[-2], k.shape[-2], q.shape[-1]
    s = q @ k.swapaxes(-1, -2) / D**0.5
    if causal:
        s = s + np.triu(np.full((L, S), -np.inf), S - L + 1)
    p = np.exp(s - s.max(-1, keepdims=True))
    p /= p.sum(-1, keepdims=True)
    dp = grad_output @ v.swapaxes(-1, -2)
    ds = p * (dp - (dp * p).sum(-1, keepdims=True)) / D**0.5
    return ds @ k, ds.swapaxes(-1, -2) @ q, p.swapaxes(-1, -2) @ grad_output
