"""The sum is rescaled only when the maximum rises by more than 100, where exp has overflowed."""

import numpy as np


def online_softmax(blocks):
    t = blocks[0].dtype.type
    m, l = t(-np.inf), t(0)
    for x in blocks:
        top = x.max()
        if top == -np.inf:
            continue
        if m == -np.inf:
            m = top
        elif top - m > 100:
            l = l * np.exp(m - top)
            m = top
        l = l + np.exp(x - m).sum()
    if l == 0:
        return np.zeros(sum(map(len, blocks)), t)
    return np.concatenate([np.exp(x - m) / l for x in blocks])
