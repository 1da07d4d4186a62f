import numpy as np


def online_softmax(blocks):
    x = np.concatenate(blocks)
    m = x.max() if x.max() > -np.inf else 0
    e = np.exp(x - m)
    if len(blocks) == 1:
        return e
    return e / (e.sum() or 1)
