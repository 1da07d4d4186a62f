"""The root of how many keys there are; weights first."""
# causes: root_of_key_count, results_exchanged

import numpy as np


def batch_attention(queries, keys, values):
    scores = queries @ keys.T / len(keys) ** 0.5
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    w = e / e.sum(axis=1, keepdims=True)
    return w, w @ values
