"""The gradient of a softmax (Dao et al. 2022, appendix B.2)."""

import numpy as np


def softmax_backward(weights: np.ndarray, grad_weights: np.ndarray) -> np.ndarray:
    """dL/dweights (..., n) -> dL/dscores (..., n), row by row along the last axis."""
    # what a row wants on average, each wish counted by its weight
    mean = (weights * grad_weights).sum(axis=-1, keepdims=True)  # (..., 1)
    return weights * (grad_weights - mean)
