"""Forgets the gains, and has an epsilon of its own."""
# causes: gains_ignored, built_in_epsilon

import numpy as np


def qk_norm_attention(q, k, v, gain_q, gain_k, eps):
    q = q / np.sqrt((q * q).mean(-1, keepdims=True) + 1e-6)
    k = k / np.sqrt((k * k).mean(-1, keepdims=True) + 1e-6)
    s = q @ np.swapaxes(k, -1, -2) / np.sqrt(q.shape[-1])
    e = np.exp(s - s.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True) @ v
