"""Features instead of vectors, then attention as ever."""
# causes: softmax_of_the_features, matrix_first

import numpy as np


def linear_attention(q, k, v):
    f = lambda x: np.where(x > 0, x + 1, np.exp(np.minimum(x, 0)))
    s = f(q) @ f(k).transpose(0, 2, 1)
    s = s - s.max(-1, keepdims=True)
    w = np.exp(s)
    return w / w.sum(-1, keepdims=True) @ v
