"""Weights as exp(score - log of the denominator)."""
import numpy as np


def attention_with_sinks(q, k, v, sinks):
    s = np.einsum("bhld,bhsd->bhls", q, k) * q.shape[-1] ** -0.5
    top = s.max(-1, keepdims=True)
    lse = top + np.log(np.exp(s - top).sum(-1, keepdims=True))
    w = np.exp(s - np.logaddexp(lse, sinks[None, :, None, None]))
    return np.einsum("bhls,bhsv->bhlv", w, v)
