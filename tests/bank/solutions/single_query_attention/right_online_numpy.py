"""One key at a time with a running maximum, float64 inside, cast back."""
import numpy as np


def attention(query, keys, values):
    q = query.astype(np.float64) / query.shape[0] ** 0.25
    top, total, out, scores = -np.inf, 0.0, np.zeros(values.shape[1]), []
    for k, v in zip(keys, values):
        s = float(q @ (k.astype(np.float64) / query.shape[0] ** 0.25))
        scores.append(s)
        new = max(top, s)
        shrink, e = np.exp(top - new), np.exp(s - new)
        total, out, top = total * shrink + e, out * shrink + e * v, new
    return (out / total).astype(values.dtype), (np.exp(np.array(scores) - top) / total).astype(values.dtype)
