"""The derivative of exp is exp, so p * dp."""
# causes: nothing_subtracted|sum_and_scale_forgotten, scale_forgotten_on_the_way_back|sum_and_scale_forgotten

import numpy as np


def attention_backward(q, k, v, grad_output, causal=False):
    L, S, D = q.shape[-2], k.shape[-2], q.shape[-1]
    s = q @ np.swapaxes(k, -1, -2) / np.sqrt(D)
    if causal:
        s = np.where(np.tri(L, S, S - L, dtype=bool), s, -np.inf)
    m = s.max(axis=-1, keepdims=True)
    p = np.exp(s - np.where(np.isinf(m), 0, m))
    z = p.sum(axis=-1, keepdims=True)
    p = p / np.where(z == 0, 1, z)
    dp = grad_output @ v.swapaxes(-1, -2)
    ds = p * dp
    return ds @ k, ds.swapaxes(-1, -2) @ q, p.swapaxes(-1, -2) @ grad_output
