"""The query matrix also makes the values."""
# causes: other: the query matrix makes the values

import numpy as np


def self_attention(x, w_q, w_k, w_v):
    q = x.dot(w_q)
    k = x.dot(w_k)
    v = x.dot(w_q)
    s = q.dot(k.T) / np.sqrt(q.shape[1])
    e = np.exp(s - s.max(1, keepdims=True))
    a = e / e.sum(1, keepdims=True)
    return a.dot(v), a
