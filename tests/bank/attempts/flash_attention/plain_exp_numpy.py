"""Without the maximum nothing has to be corrected."""
# causes: no_maximum_subtracted|hidden_exponentials_times_zero

import numpy as np


def flash_attention(q, k, v, block_size, causal=False):
    L, S = q.shape[-2], k.shape[-2]
    total, out = 0, 0
    for start in range(0, S, block_size):
        kb, vb = k[..., start : start + block_size, :], v[..., start : start + block_size, :]
        e = np.exp(q @ kb.swapaxes(-1, -2) / q.shape[-1] ** 0.5)
        if causal:
            j = np.arange(start, start + kb.shape[-2])
            e = e * (j <= np.arange(L)[:, None] + S - L)
        total = total + e.sum(-1, keepdims=True)
        out = out + e @ vb
    return out / np.where(total == 0, 1, total)
