import numpy as np


def sparse_mask(n: int, stride: int) -> np.ndarray:
    """Say which keys each query may see: its neighbours, and landmarks at every `stride`-th
    position.

    Returns booleans (n, n), True = may attend.
    """
    raise NotImplementedError
