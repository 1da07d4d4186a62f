"""Rows for keys and columns for queries."""
# causes: transposed, aligned_to_start

import numpy as np


def causal_mask(query_len: int, key_len: int | None = None) -> np.ndarray:
    S = query_len if key_len is None else key_len
    mask = np.zeros((S, query_len), dtype=bool)
    for j in range(S):
        for i in range(query_len):
            mask[j, i] = j <= i
    return mask
