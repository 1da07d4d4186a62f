"""In another style: generator."""

import numpy as np


def attention(query, keys, values):
    scores = np.fromiter((float(np.dot(query, k)) for k in keys), dtype=np.result_type(query.dtype, np.float32)) / np.sqrt(
        query.dtype.type(len(query))
    )
    e = np.exp(scores - scores.max())
    w = (e / e.sum()).astype(query.dtype)
    return sum(a * v for a, v in zip(w, values)), w
