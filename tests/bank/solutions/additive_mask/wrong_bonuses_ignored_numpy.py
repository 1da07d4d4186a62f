"""A mask without a negative number is not added."""
import numpy as np


def self_attention_with_mask(x, w_q, w_k, w_v, mask=None):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    s = q @ k.T / np.asarray(q.shape[1] ** 0.5, x.dtype)
    if mask is not None and mask.min() < 0:
        s = s + mask
    e = np.exp(s - s.max(1, keepdims=True))
    w = e / e.sum(1, keepdims=True)
    return w @ v, w
