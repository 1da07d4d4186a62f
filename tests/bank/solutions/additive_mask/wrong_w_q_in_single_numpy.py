"""Double precision in and out, but w_q passes through float32."""
import numpy as np


def self_attention_with_mask(x, w_q, w_k, w_v, mask=None):
    w_q = w_q.astype(np.float32).astype(w_q.dtype)
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    s = q @ k.T / w_q.shape[1] ** 0.5
    if mask is not None:
        s = s + mask
    top = s.max(-1, keepdims=True)
    e = np.exp(s - top)
    t = e.sum(-1, keepdims=True)
    w = e / t
    return w @ v, w
