"""Everything in one function, with einsum."""
# causes: none

import numpy as np


def qk_norm_attention(q, k, v, gain_q, gain_k, eps):
    d = q.shape[3]
    qn = gain_q * q / np.sqrt((q * q).sum(axis=3, keepdims=True) / d + eps)
    kn = gain_k * k / np.sqrt((k * k).sum(axis=3, keepdims=True) / d + eps)
    s = np.einsum("bhid,bhjd->bhij", qn, kn) / d**0.5
    p = np.exp(s - s.max(axis=3, keepdims=True))
    return np.einsum("bhij,bhjv->bhiv", p / p.sum(axis=3, keepdims=True), v)
