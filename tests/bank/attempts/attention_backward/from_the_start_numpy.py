"""np.tri for the causal mask, minus infinity for what is hidden."""
# causes: aligned_to_the_start

import numpy as np


def attention_backward(q, k, v, grad_output, causal=False):
    L, S, D = q.shape[-2], k.shape[-2], q.shape[-1]
    s = q @ k.swapaxes(-1, -2) / D**0.5
    if causal:
        s = np.where(np.tri(L, S) == 1, s, -np.inf)
    p = np.exp(s - s.max(-1, keepdims=True))
    p /= p.sum(-1, keepdims=True)
    dp = grad_output @ v.swapaxes(-1, -2)
    ds = p * (dp - (dp * p).sum(-1, keepdims=True)) / D**0.5
    return ds @ k, ds.swapaxes(-1, -2) @ q, p.swapaxes(-1, -2) @ grad_output
