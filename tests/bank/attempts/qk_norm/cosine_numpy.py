"""Cosine similarity: lengths of 1, and no scale."""
# causes: length_for_root_mean_square, no_scale

import numpy as np


def qk_norm_attention(q, k, v, gain_q, gain_k, eps):
    q = q / np.sqrt((q * q).sum(-1, keepdims=True) + eps) * gain_q
    k = k / np.sqrt((k * k).sum(-1, keepdims=True) + eps) * gain_k
    s = q @ k.swapaxes(-1, -2)
    e = np.exp(s - s.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True) @ v
