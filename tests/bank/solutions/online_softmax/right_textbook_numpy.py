import numpy as np


def online_softmax(blocks):
    running_max = -np.inf
    running_sum = 0.0
    for block in blocks:
        new_max = max(running_max, np.max(block))
        if np.isneginf(new_max):
            continue
        correction = np.exp(running_max - new_max)
        running_sum = running_sum * correction + np.sum(np.exp(block - new_max))
        running_max = new_max
    scores = np.concatenate(blocks)
    if running_sum == 0.0:
        return np.zeros_like(scores)
    return np.exp(scores - running_max) / running_sum
