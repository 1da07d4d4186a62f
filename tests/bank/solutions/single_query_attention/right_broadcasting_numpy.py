"""Broadcasting and sums; the output is normalised last; a constant added to the scores."""
import numpy as np


def attention(query, keys, values):
    s = (query * keys).sum(axis=-1) / float(np.sqrt(len(query))) + 2.0
    e = np.exp(s - max(s))
    return (e[:, None] * values).sum(axis=0) / e.sum(), e / e.sum()
