"""The sum of a log a, as a loop."""
# causes: negative

import numpy as np


def attention_statistics(weights: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    H, L, S = weights.shape
    entropy = np.zeros(H, dtype=weights.dtype)
    for h in range(H):
        for row in weights[h]:
            row = row[row > 0]
            entropy[h] += np.sum(row * np.log(row)) / L
    received = weights.sum(axis=1).mean(axis=0)
    diagonal = np.diagonal(weights, axis1=1, axis2=2).mean(axis=0)
    return entropy, received, diagonal
