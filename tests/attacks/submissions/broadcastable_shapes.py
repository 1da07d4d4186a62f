"""Return one row, one column, and nothing at all, in shapes that broadcast to the answer's.

rows: 51
verdicts: wrong_answer
"""
import numpy as np

calls = 0


def scaled_dot_product_attention(q, k, v, scale=None):
    global calls
    calls += 1
    s = q @ np.swapaxes(k, -2, -1) * (q.shape[-1] ** -0.5 if scale is None else scale)
    e = np.exp(s - s.max(-1, keepdims=True))
    w = e / e.sum(-1, keepdims=True)
    out = w @ v
    return [(out[..., :1, :], w), (out[..., :, :1], w), (out[:0], w), (out[None], w), (out.ravel(), w), (out, w.sum(-1))][calls % 6]
