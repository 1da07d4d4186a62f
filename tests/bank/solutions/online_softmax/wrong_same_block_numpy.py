"""Wrong: a block whose scores came before is left out of the sum."""

import numpy as np


def online_softmax(blocks):
    kept = {}
    m, l = -np.inf, 0.0
    for x in blocks:
        if x.tobytes() in kept:
            continue
        kept[x.tobytes()] = True
        new = max(m, float(x.max()))
        if new == -np.inf:
            continue
        l = l * np.exp(m - new) + np.exp(x.astype(float) - new).sum()
        m = new
    if l == 0:
        return np.zeros(sum(map(len, blocks)), blocks[0].dtype)
    return np.concatenate([np.exp(x.astype(float) - m) / l for x in blocks]).astype(blocks[0].dtype)
