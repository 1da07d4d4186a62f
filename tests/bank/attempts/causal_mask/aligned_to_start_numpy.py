"""The triangle starts in the top left corner."""
# causes: aligned_to_start

import numpy as np


def causal_mask(query_len: int, key_len: int | None = None) -> np.ndarray:
    S = query_len if key_len is None else key_len
    return np.tril(np.ones((query_len, S), dtype=bool))
