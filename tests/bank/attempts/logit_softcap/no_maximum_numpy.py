"""Capped scores need no maximum, and no row is empty."""
# causes: no_maximum_subtracted, hidden_row_nan

import numpy as np


def softcapped_attention(q, k, v, cap, causal=False):
    L, S, D = q.shape[-2], k.shape[-2], q.shape[-1]
    e = np.exp(cap * np.tanh(q @ np.swapaxes(k, -2, -1) / np.sqrt(D) / cap))
    if causal:
        e = e * np.tri(L, S, S - L)
    return e / e.sum(axis=-1, keepdims=True) @ v
