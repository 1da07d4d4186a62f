"""Take off the maximum, sort, take k."""
# causes: maximum_of_everything

import numpy as np


def most_attended(x: np.ndarray, k: int) -> tuple[np.ndarray, np.ndarray]:
    scores = x @ x.T / np.sqrt(x.shape[1])
    e = np.exp(scores - np.max(scores))
    weights = e / e.sum(axis=1, keepdims=True)
    indices = np.argsort(-weights, axis=1, kind="stable")[:, :k]
    return indices, np.take_along_axis(weights, indices, axis=1)
