"""Output columns of width 1 lose their axis."""
import numpy as np


def self_attention_with_mask(x, w_q, w_k, w_v, mask=None):
    s = (x @ w_q) @ (x @ w_k).T / x.dtype.type(w_q.shape[1] ** 0.5)
    if mask is not None:
        s = s + mask
    e = np.exp(s - s.max(1, keepdims=True))
    w = e / e.sum(1, keepdims=True)
    out = w @ (x @ w_v)
    return out[:, 0] if out.shape[1] == 1 else out, w
