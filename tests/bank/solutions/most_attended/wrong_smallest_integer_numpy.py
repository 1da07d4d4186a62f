"""The indices have the smallest integer type that holds k, and n may be larger."""

import numpy as np


def most_attended(x: np.ndarray, k: int) -> tuple[np.ndarray, np.ndarray]:
    """The k tokens that each token attends to most, when queries, keys and values are all x."""
    if not np.issubdtype(x.dtype, np.floating):
        x = x.astype(np.float64)
    scores = x @ x.T / float(x.shape[1]) ** 0.5
    order = np.argsort(-scores, axis=1, kind="stable")[:, :k]
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights = np.take_along_axis(e / e.sum(axis=1, keepdims=True), order, axis=1)
    return order.astype(np.min_scalar_type(k)), weights
