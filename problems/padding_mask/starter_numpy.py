import numpy as np


def padding_mask(tokens: np.ndarray, pad_id: int = 0) -> np.ndarray:
    """Say which tokens of a padded batch may be attended to.

    tokens: integers (B, S)
    Returns booleans (B, 1, S), True = may attend.
    """
    raise NotImplementedError
