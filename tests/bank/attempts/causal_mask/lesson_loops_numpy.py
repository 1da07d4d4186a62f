"""Fill it in with two loops."""
# causes: none

import numpy as np


def causal_mask(query_len: int, key_len: int | None = None) -> np.ndarray:
    S = key_len or query_len
    mask = np.zeros((query_len, S), dtype=bool)
    for i in range(query_len):
        for j in range(S):
            if j <= i + S - query_len:
                mask[i, j] = True
    return mask
