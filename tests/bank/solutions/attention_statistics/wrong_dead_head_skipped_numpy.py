# wrong: a head whose weights are all 0 is left out of the means over the heads; received and diagonal are divided by too small a number
import numpy as np


def attention_statistics(weights):
    logs = np.zeros_like(weights)
    np.log(weights, out=logs, where=weights > 0)
    entropy = -(weights * logs).sum(2).mean(1)
    alive = max(1, int(weights.any(axis=(1, 2)).sum()))
    received = weights.sum(axis=(0, 1)) / alive
    diagonal = np.einsum("hii->i", weights[:, : weights.shape[2], : weights.shape[1]]) / alive
    return entropy, received, diagonal
