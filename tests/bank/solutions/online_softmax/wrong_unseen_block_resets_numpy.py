import numpy as np


def online_softmax(blocks):
    m, total = -np.inf, 0.0
    for block in blocks:
        if np.isneginf(block).all():
            total = 0.0
            continue
        new = max(m, block.max())
        total = total * np.exp(m - new) + np.exp(block - new).sum()
        m = new
    x = np.concatenate(blocks)
    return np.exp(x - m) / total if total else np.zeros_like(x)
