"""Loops and arrays of zeros."""
# causes: none

import numpy as np


def attention_statistics(weights: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    H, L, S = weights.shape
    entropy = np.zeros(H)
    received = np.zeros(S)
    diagonal = np.zeros(min(L, S))
    for h in range(H):
        for i in range(L):
            for j in range(S):
                a = weights[h, i, j]
                if a > 0:
                    entropy[h] -= a * np.log(a) / L
                received[j] += a / H
                if i == j:
                    diagonal[i] += a / H
    return entropy, received, diagonal
