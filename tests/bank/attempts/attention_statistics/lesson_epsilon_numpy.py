"""The usual epsilon of 1e-9 in the logarithm."""
# causes: none

import numpy as np


def attention_statistics(weights: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    entropy = -(weights * np.log(weights + 1e-9)).sum(axis=-1).mean(axis=-1)
    received = weights.sum(axis=1).mean(axis=0)
    m = min(weights.shape[1], weights.shape[2])
    diagonal = np.array([weights[:, i, i].mean() for i in range(m)])
    return entropy, received, diagonal
