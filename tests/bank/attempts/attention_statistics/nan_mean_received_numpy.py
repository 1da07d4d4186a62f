"""The formula of entropy, and means of the rest."""
# causes: no_guard_for_zero, received_mean_over_queries

import numpy as np


def attention_statistics(weights: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    entropy = -(weights * np.log(weights)).sum(axis=-1).mean(axis=-1)
    received = weights.mean(axis=(0, 1))
    diagonal = np.diagonal(weights, axis1=1, axis2=2).mean(axis=0)
    return entropy, received, diagonal
