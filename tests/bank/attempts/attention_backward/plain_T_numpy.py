"""Transposed with .T."""
# causes: all_axes_reversed

import numpy as np


def attention_backward(q, k, v, grad_output, causal=False):
    L, S, D = q.shape[-2], k.shape[-2], q.shape[-1]
    s = q @ k.T / D**0.5
    if causal:
        s = np.where(np.tri(L, S, S - L, dtype=bool), s, -np.inf)
    m = s.max(-1, keepdims=True)
    p = np.exp(s - np.where(np.isinf(m), 0, m))
    z = p.sum(-1, keepdims=True)
    p = p / np.where(z == 0, 1, z)
    dp = grad_output @ v.T
    ds = p * (dp - (dp * p).sum(-1, keepdims=True)) / D**0.5
    return ds @ k, ds.T @ q, p.T @ grad_output
