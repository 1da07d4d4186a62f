"""In another style: merged matrix."""

import math


def self_attention(x, w_q, w_k, w_v):
    s = x @ (w_q @ w_k.T) @ x.T / math.sqrt(w_q.shape[1])
    top = s.max(1, keepdims=True) if hasattr(s, "astype") else s.max(1, keepdim=True).values
    e = math.e ** (s - top)
    w = e / e.sum(1)[:, None]
    return (w @ x) @ w_v, w
