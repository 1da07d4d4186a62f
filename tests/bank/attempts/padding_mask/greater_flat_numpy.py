"""Word ids are larger than the padding id."""
# causes: larger_than_pad_id, no_query_axis

import numpy as np


def padding_mask(tokens: np.ndarray, pad_id: int = 0) -> np.ndarray:
    mask = np.zeros(tokens.shape, dtype=bool)
    mask[tokens > pad_id] = True
    return mask
