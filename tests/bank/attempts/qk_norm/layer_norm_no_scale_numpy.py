"""A layer norm without its bias; no scale."""
# causes: mean_subtracted, no_scale

import numpy as np


def qk_norm_attention(q, k, v, gain_q, gain_k, eps):
    def norm(x, gain):
        return (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + eps) * gain

    s = norm(q, gain_q) @ norm(k, gain_k).swapaxes(-2, -1)
    e = np.exp(s - s.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True) @ v
