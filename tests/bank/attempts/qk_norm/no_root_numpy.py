"""Forgets the root."""
# causes: no_root

import numpy as np


def qk_norm_attention(q, k, v, gain_q, gain_k, eps):
    qn = q / (np.mean(q**2, axis=-1, keepdims=True) + eps) * gain_q
    kn = k / (np.mean(k**2, axis=-1, keepdims=True) + eps) * gain_k
    s = qn @ kn.swapaxes(-1, -2) / np.sqrt(q.shape[-1])
    e = np.exp(s - s.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True) @ v
