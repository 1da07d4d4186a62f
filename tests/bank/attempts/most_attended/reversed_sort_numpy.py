"""argsort and then backwards."""
# causes: ties_reversed, sort_not_stable

import numpy as np


def most_attended(x: np.ndarray, k: int) -> tuple[np.ndarray, np.ndarray]:
    scores = x @ x.T / np.sqrt(x.shape[1])
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights = e / e.sum(axis=1, keepdims=True)
    indices = np.argsort(weights, axis=1)[:, ::-1][:, :k]
    return indices, np.take_along_axis(weights, indices, axis=1)
