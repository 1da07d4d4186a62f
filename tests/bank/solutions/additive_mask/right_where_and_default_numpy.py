"""In another style: where and default."""

import numpy as np


def self_attention_with_mask(x, w_q, w_k, w_v, mask=None):
    mask = np.zeros((len(x), len(x)), x.dtype) if mask is None else mask
    s = np.add((x @ w_q) @ (x @ w_k).T / np.sqrt(w_q.shape[1]).astype(x.dtype), mask)
    s -= s.max(-1, keepdims=True)
    np.exp(s, out=s)
    s /= s.sum(-1, keepdims=True)
    return s @ (x @ w_v), s
