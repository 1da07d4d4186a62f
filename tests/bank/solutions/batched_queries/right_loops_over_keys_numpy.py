"""Python loops over keys and dimensions, each step for all queries at once; float64 inside."""
import numpy as np


def batch_attention(queries, keys, values):
    q = queries.astype(np.float64)
    columns = []
    for key in keys:
        s = 0.0
        for i in range(q.shape[1]):
            s = s + q[:, i] * float(key[i])
        columns.append(s / q.shape[1] ** 0.5)
    top = columns[0]
    for c in columns[1:]:
        top = np.maximum(top, c)
    e = [np.exp(c - top) for c in columns]
    total = sum(e)
    w = np.stack([x / total for x in e], axis=1)
    out = np.zeros((len(q), values.shape[1]))
    for j in range(len(keys)):
        out += w[:, j:j + 1] * values[j].astype(np.float64)
    return out.astype(queries.dtype), w.astype(queries.dtype)
