"""The epsilon is added to the root, and one gain is used twice."""
# causes: epsilon_outside, one_gain_for_both

import numpy as np


def qk_norm_attention(q, k, v, gain_q, gain_k, eps):
    def norm(x):
        return x / (np.sqrt(np.mean(x * x, axis=-1, keepdims=True)) + eps) * gain_q

    s = norm(q) @ norm(k).swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    e = np.exp(s - s.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True) @ v
