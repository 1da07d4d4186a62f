"""Compare, and add an axis."""
# causes: none

import numpy as np


def padding_mask(tokens: np.ndarray, pad_id: int = 0) -> np.ndarray:
    return (tokens != pad_id)[:, np.newaxis, :]
