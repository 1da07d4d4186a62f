"""True where there is a word."""
# causes: no_query_axis

import numpy as np


def padding_mask(tokens: np.ndarray, pad_id: int = 0) -> np.ndarray:
    return tokens != pad_id
