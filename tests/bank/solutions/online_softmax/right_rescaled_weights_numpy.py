import numpy as np


def online_softmax(blocks):
    # keeps normalised weights and mends them with every block
    m, total = -np.inf, 0.0
    weights = np.empty(0, dtype=blocks[0].dtype)
    for block in blocks:
        new = max(m, block.max())
        if new == -np.inf:
            weights = np.append(weights, np.zeros_like(block))
            continue
        e = np.exp(block - new)
        grown = total * np.exp(m - new) + e.sum()
        weights = np.append(weights * (total * np.exp(m - new) / grown), e / grown)
        m, total = new, grown
    return weights.astype(blocks[0].dtype)
