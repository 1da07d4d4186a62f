"""Cap the dot products, then scale."""
# causes: cap_before_the_scale

import numpy as np


def softcapped_attention(q, k, v, cap, causal=False):
    L, S, D = q.shape[-2], k.shape[-2], q.shape[-1]
    s = q @ k.swapaxes(-1, -2)
    s = cap * np.tanh(s / cap)
    s = s / np.sqrt(D)
    keep = np.tri(L, S, S - L, dtype=bool) if causal else np.ones((L, S), dtype=bool)
    s = np.where(keep, s, -1e30)
    e = np.where(keep, np.exp(s - s.max(-1, keepdims=True)), 0.0)
    t = e.sum(-1, keepdims=True)
    return (e / np.where(t == 0, 1, t)).astype(q.dtype) @ v
