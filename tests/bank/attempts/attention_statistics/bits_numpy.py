"""Entropy is measured in bits."""
# causes: bits

import numpy as np


def attention_statistics(weights: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    safe = np.where(weights > 0, weights, 1)
    entropy = -(weights * np.log2(safe)).sum(axis=-1).mean(axis=-1)
    received = weights.sum(axis=1).mean(axis=0)
    diagonal = np.diagonal(weights, axis1=1, axis2=2).mean(axis=0)
    return entropy, received, diagonal
