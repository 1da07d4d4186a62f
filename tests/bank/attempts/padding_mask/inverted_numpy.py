"""The mask marks the padding."""
# causes: polarity_inverted

import numpy as np


def padding_mask(tokens: np.ndarray, pad_id: int = 0) -> np.ndarray:
    return (tokens == pad_id)[:, None, :]
