"""1 for words and 0 for padding."""
# causes: integers

import numpy as np


def padding_mask(tokens: np.ndarray, pad_id: int = 0) -> np.ndarray:
    return np.where(tokens == pad_id, 0, 1)[:, None, :]
