"""Query i sees the keys before i."""
# causes: diagonal_hidden, aligned_to_start

import numpy as np


def causal_mask(query_len: int, key_len: int | None = None) -> np.ndarray:
    S = key_len if key_len is not None else query_len
    mask = np.zeros((query_len, S), dtype=bool)
    for i in range(query_len):
        mask[i, :i] = True
    return mask
