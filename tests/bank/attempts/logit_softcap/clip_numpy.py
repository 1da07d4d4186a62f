"""np.clip."""
# causes: clipped

import numpy as np


def softcapped_attention(q, k, v, cap, causal=False):
    L, S, D = q.shape[-2], k.shape[-2], q.shape[-1]
    s = np.clip(q @ k.swapaxes(-1, -2) / np.sqrt(D), -cap, cap)
    m = np.tri(L, S, S - L) if causal else np.ones((L, S))
    s = np.where(m == 1, s, -1e9)
    e = np.exp(s - s.max(-1, keepdims=True)) * m
    return e / (e.sum(-1, keepdims=True) + 1e-9) @ v
