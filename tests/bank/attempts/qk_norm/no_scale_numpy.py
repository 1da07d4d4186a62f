"""Normalised, so no scale is needed."""
# causes: no_scale

import numpy as np


def qk_norm_attention(q, k, v, gain_q, gain_k, eps):
    qn = q / np.sqrt((q**2).mean(-1, keepdims=True) + eps) * gain_q
    kn = k / np.sqrt((k**2).mean(-1, keepdims=True) + eps) * gain_k
    s = np.einsum("bhld,bhsd->bhls", qn, kn)
    e = np.exp(s - s.max(-1, keepdims=True))
    return np.einsum("bhls,bhsv->bhlv", e / e.sum(-1, keepdims=True), v)
