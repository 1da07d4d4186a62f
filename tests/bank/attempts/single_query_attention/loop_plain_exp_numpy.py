"""A loop over the keys, as in the formula."""
# causes: no_maximum_subtracted, root_of_key_count

import numpy as np


def attention(query: np.ndarray, keys: np.ndarray, values: np.ndarray):
    total = 0.0
    weights = np.zeros(len(keys))
    for i, key in enumerate(keys):
        weights[i] = np.exp(query @ key / np.sqrt(len(keys)))
        total += weights[i]
    weights = weights / total
    return sum(weights[i] * values[i] for i in range(len(keys))), weights
