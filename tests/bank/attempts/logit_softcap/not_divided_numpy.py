"""cap * tanh(s)."""
# causes: not_divided_first, maximum_of_hidden_keys

import numpy as np


def softcapped_attention(q, k, v, cap, causal=False):
    L, S, D = q.shape[-2], k.shape[-2], q.shape[-1]
    s = np.tanh(q @ k.swapaxes(-1, -2) / np.sqrt(D)) * cap
    if causal:
        keep = np.arange(S) <= np.arange(L)[:, None] + S - L
    else:
        keep = np.full((L, S), True)
    e = np.exp(s - s.max(axis=-1, keepdims=True)) * keep
    t = e.sum(axis=-1, keepdims=True)
    return e / np.where(t > 0, t, 1) @ v
