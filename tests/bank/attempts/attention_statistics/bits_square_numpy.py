"""Bits, and the diagonal of a square map."""
# causes: bits, other: the diagonal is as long as the queries

import numpy as np


def attention_statistics(weights: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    H, L, S = weights.shape
    safe = np.where(weights > 0, weights, 1)
    entropy = -(weights * np.log2(safe)).sum(axis=-1).mean(axis=-1)
    received = weights.sum(axis=1).mean(axis=0)
    diagonal = np.array([weights[:, i, i].mean() for i in range(L)])
    return entropy, received, diagonal
