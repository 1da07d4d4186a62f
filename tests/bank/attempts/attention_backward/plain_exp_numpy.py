"""exp(s) over its sum."""
# causes: no_maximum_subtracted

import numpy as np


def attention_backward(q, k, v, grad_output, causal=False):
    L, S, D = q.shape[-2], k.shape[-2], q.shape[-1]
    s = q @ k.swapaxes(-1, -2) / D**0.5
    e = np.exp(s)
    if causal:
        e = np.where(np.tri(L, S, S - L, dtype=bool), e, 0)
    z = e.sum(-1, keepdims=True)
    p = e / np.where(z == 0, 1, z)
    dp = grad_output @ v.swapaxes(-1, -2)
    ds = p * (dp - (dp * p).sum(-1, keepdims=True)) / D**0.5
    return ds @ k, ds.swapaxes(-1, -2) @ q, p.swapaxes(-1, -2) @ grad_output
