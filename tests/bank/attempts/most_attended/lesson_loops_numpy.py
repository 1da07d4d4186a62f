"""Sort each row by weight and index."""
# causes: none

import numpy as np


def most_attended(x: np.ndarray, k: int) -> tuple[np.ndarray, np.ndarray]:
    n, d = x.shape
    indices = np.zeros((n, k), dtype=int)
    top = np.zeros((n, k))
    for i in range(n):
        scores = np.array([x[i] @ x[j] for j in range(n)]) / np.sqrt(d)
        e = np.exp(scores - scores.max())
        weights = e / e.sum()
        order = sorted(range(n), key=lambda j: (-weights[j], j))[:k]
        indices[i] = order
        top[i] = weights[order]
    return indices, top
