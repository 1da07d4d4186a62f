"""np.diagonal gives the diagonal."""
# causes: diagonal_of_heads

import numpy as np


def attention_statistics(weights: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    safe = np.where(weights > 0, weights, 1)
    entropy = -(weights * np.log(safe)).sum(axis=-1).mean(axis=-1)
    received = weights.sum(axis=1).mean(axis=0)
    diagonal = np.diagonal(weights).mean(axis=0)
    return entropy, received, diagonal
