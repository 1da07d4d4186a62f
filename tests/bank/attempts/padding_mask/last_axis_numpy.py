"""A new axis at the end."""
# causes: axis_at_the_end

import numpy as np


def padding_mask(tokens: np.ndarray, pad_id: int = 0) -> np.ndarray:
    return np.expand_dims(tokens != pad_id, axis=-1)
