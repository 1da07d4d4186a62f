"""Attention within each block of keys, then the mean."""
# causes: mean_of_the_blocks, causal_ignored

import numpy as np


def flash_attention(q, k, v, block_size, causal=False):
    outs = []
    for start in range(0, k.shape[-2], block_size):
        kb, vb = k[..., start : start + block_size, :], v[..., start : start + block_size, :]
        s = q @ kb.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
        e = np.exp(s - s.max(-1, keepdims=True))
        outs.append(e / e.sum(-1, keepdims=True) @ vb)
    return np.mean(outs, axis=0)
