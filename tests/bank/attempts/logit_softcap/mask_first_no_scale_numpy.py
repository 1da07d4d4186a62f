"""No scale; mask, then cap."""
# causes: no_scale, mask_before_the_cap

import numpy as np


def softcapped_attention(q, k, v, cap, causal=False):
    s = q @ np.swapaxes(k, -1, -2)
    if causal:
        L, S = s.shape[-2:]
        s = np.where(np.tri(L, S, S - L) == 1, s, -1e9)
    s = cap * np.tanh(s / cap)
    e = np.exp(s - s.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True) @ v
