"""A helper for the norm, then attention as usual."""
# causes: none

import numpy as np


def rms_norm(x, gain, eps):
    rms = np.sqrt(np.mean(x**2, axis=-1, keepdims=True) + eps)
    return x / rms * gain


def qk_norm_attention(q, k, v, gain_q, gain_k, eps):
    q, k = rms_norm(q, gain_q, eps), rms_norm(k, gain_k, eps)
    scores = q @ k.transpose(0, 1, 3, 2) / np.sqrt(q.shape[-1])
    scores = scores - scores.max(axis=-1, keepdims=True)
    weights = np.exp(scores)
    weights = weights / weights.sum(axis=-1, keepdims=True)
    return weights @ v
