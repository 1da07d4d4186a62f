"""Fill the memory with marks that the next submission would find, if it inherited any.

rows: 42, 66
verdicts: wrong_answer
"""
import numpy as np

marks = []


def scaled_dot_product_attention(q, k, v, scale=None):
    marks.extend(f"trace-of-a-destroying-element {i}" for i in range(20_000))
    lead = np.broadcast_shapes(q.shape[:-2], k.shape[:-2], v.shape[:-2])
    return np.zeros((*lead, q.shape[-2], v.shape[-1]), q.dtype), np.zeros((*lead, q.shape[-2], k.shape[-2]), q.dtype)
