import numpy as np


def softmax(x: np.ndarray, axis: int = -1):
    """Weights of the shape of x that sum to 1 along axis; a slice of -inf alone gives zeros."""
    raise NotImplementedError
