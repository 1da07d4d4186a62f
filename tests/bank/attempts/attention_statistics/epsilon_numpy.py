"""A small number in the logarithm."""
# causes: large_epsilon

import numpy as np


def attention_statistics(weights: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    entropy = -(weights * np.log(weights + 1e-3)).sum(axis=-1).mean(axis=-1)
    received = weights.sum(axis=1).mean(axis=0)
    diagonal = np.diagonal(weights, axis1=1, axis2=2).mean(axis=0)
    return entropy, received, diagonal
