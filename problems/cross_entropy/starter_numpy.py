import numpy as np


def cross_entropy(logits: np.ndarray, targets: np.ndarray, ignore_index: int = -100) -> np.floating:
    """Average how surprised the model is by the targets.

    logits   (N, V)
    targets  (N,), integers from 0 to V - 1, or ignore_index
    returns  one number
    """
    raise NotImplementedError


def cross_entropy_backward(
    logits: np.ndarray, targets: np.ndarray, ignore_index: int = -100
) -> np.ndarray:
    """The gradient of that number with respect to the logits.

    returns  (N, V)
    """
    raise NotImplementedError
