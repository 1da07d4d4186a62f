"""Two attentions, and the difference of what they give."""
import numpy as np


def attend(q, k, v):
    s = np.einsum("bhld,bhsd->bhls", q, k) / np.sqrt(q.shape[-1])
    top = s.max(-1, keepdims=True)
    w = np.exp(s - top - np.log(np.exp(s - top).sum(-1, keepdims=True)))
    return np.einsum("bhls,bhsv->bhlv", w, v)


def differential_attention(q1, k1, q2, k2, v, lam):
    v = np.asarray(v, dtype=np.float64)
    out = attend(q1, k1, v) - lam.reshape(1, -1, 1, 1) * attend(q2, k2, v)
    return out.astype(q1.dtype)
