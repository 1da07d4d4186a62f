"""The maximum of another row is subtracted."""
import numpy as np


def self_attention_with_mask(x, w_q, w_k, w_v, mask=None):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    s = q @ k.T / w_q.shape[1] ** 0.5
    if mask is not None:
        s = s + mask
    top = s.max(-1, keepdims=True)[::-1]
    e = np.exp(s - top)
    t = e.sum(-1, keepdims=True)
    w = e / t
    return w @ v, w
