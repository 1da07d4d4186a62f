"""An assert for the heads and -1e9 for what is hidden."""
# causes: assertion_for_an_error, blind_row_uniform

import numpy as np


def multi_head_attention(q, k, v, w_q, w_k, w_v, w_o, num_heads, mask=None):
    B, L, E = q.shape
    assert E % num_heads == 0
    d = E // num_heads
    Q = (q @ w_q).reshape(B, -1, num_heads, d).transpose(0, 2, 1, 3)
    K = (k @ w_k).reshape(B, -1, num_heads, d).transpose(0, 2, 1, 3)
    V = (v @ w_v).reshape(B, -1, num_heads, d).transpose(0, 2, 1, 3)
    s = np.einsum("bhld,bhsd->bhls", Q, K) / d**0.5
    if mask is not None:
        s = np.where(mask, s, -1e9)
    e = np.exp(s - s.max(axis=-1, keepdims=True))
    w = e / e.sum(axis=-1, keepdims=True)
    o = np.einsum("bhls,bhsd->blhd", w, V).reshape(B, L, E)
    return o @ w_o
