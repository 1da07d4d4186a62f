"""causal is for generation only; the scale goes into p and into ds."""
# causes: causal_ignored, scaled_twice

import numpy as np


def attention_backward(q, k, v, grad_output, causal=False):
    D = q.shape[-1]
    s = q @ k.swapaxes(-1, -2) / D**0.5
    p = np.exp(s - s.max(-1, keepdims=True))
    p /= p.sum(-1, keepdims=True)
    dp = grad_output @ v.swapaxes(-1, -2)
    ds = p * (dp - (dp * p).sum(-1, keepdims=True)) / D
    return ds @ k, ds.swapaxes(-1, -2) @ q, p.swapaxes(-1, -2) @ grad_output
