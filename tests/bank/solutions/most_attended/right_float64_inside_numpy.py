"""Float64 inside, cast back; lexsort by weight and then by index; a constant added to each row of scores."""

import numpy as np


def most_attended(x, k):
    dtype = x.dtype if x.dtype.kind == "f" else np.dtype(float)
    y = x.astype(np.float64)
    scores = y @ y.T / np.sqrt(y.shape[1])
    scores = scores - scores.max(axis=1, keepdims=True) + 1.0
    w = np.exp(scores)
    w /= w.sum(axis=1, keepdims=True)
    keys = np.broadcast_to(np.arange(len(y)), w.shape)
    order = np.lexsort((keys, -w), axis=-1)
    return order[:, :k].astype(np.uint16), np.take_along_axis(w, order, axis=1)[:, :k].astype(dtype)
