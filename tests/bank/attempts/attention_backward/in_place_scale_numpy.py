"""Scale q once, at the top."""
# causes: queries_scaled_in_place, scale_on_keys_only

import numpy as np


def attention_backward(q, k, v, grad_output, causal=False):
    L, S, D = q.shape[-2], k.shape[-2], q.shape[-1]
    q /= np.sqrt(D).astype(q.dtype)
    s = q @ k.swapaxes(-1, -2)
    if causal:
        s = np.where(np.tri(L, S, S - L, dtype=bool), s, -np.inf)
    m = s.max(-1, keepdims=True)
    p = np.exp(s - np.where(np.isinf(m), 0, m))
    z = p.sum(-1, keepdims=True)
    p = p / np.where(z == 0, 1, z)
    dp = grad_output @ v.swapaxes(-1, -2)
    ds = p * (dp - (dp * p).sum(-1, keepdims=True))
    return ds @ k, ds.swapaxes(-1, -2) @ q, p.swapaxes(-1, -2) @ grad_output
