"""Plain attention with -1e9 for what is hidden."""
# causes: dense, blind_row_uniform

import numpy as np


def flash_attention(q, k, v, block_size, causal=False):
    L, S, D = q.shape[-2], k.shape[-2], q.shape[-1]
    s = q @ k.swapaxes(-1, -2) / D**0.5
    if causal:
        s = np.where(np.tri(L, S, S - L, dtype=bool), s, -1e9)
    e = np.exp(s - s.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True) @ v
