"""Grouped einsum with plain exponentials, masked by a factor."""
# causes: no_maximum_subtracted, hidden_row_nan

import numpy as np


def grouped_query_attention(q, k, v, causal=False):
    B, H, L, D = q.shape
    G, S, Dv = v.shape[1:]
    if H % G != 0:
        raise ValueError("H must be divisible by G")
    q = q.reshape(B, G, H // G, L, D)
    e = np.exp(np.einsum("bgrld,bgsd->bgrls", q, k) / np.sqrt(D))
    if causal:
        e = e * np.tril(np.ones((L, S)), S - L)
    w = e / e.sum(axis=-1, keepdims=True)
    return np.einsum("bgrls,bgsv->bgrlv", w, v).reshape(B, H, L, Dv)
