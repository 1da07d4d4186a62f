"""Everything in float64, cast back to the dtype of the values at the end; expm1 for the negative side."""

import numpy as np


def linear_attention(q, k, v):
    elu = lambda x: np.where(x > 0, x, np.expm1(np.minimum(x, 0)))
    a = elu(q.astype(np.float64)) + 1.0
    b = elu(k.astype(np.float64)) + 1.0
    w = v.astype(np.float64)
    top = a @ np.matmul(b.transpose(0, 2, 1), w)
    bottom = (a * b.sum(axis=1, keepdims=True)).sum(axis=-1, keepdims=True)
    return (top / bottom).astype(v.dtype)
