"""Look at each token."""
# causes: none

import numpy as np


def padding_mask(tokens: np.ndarray, pad_id: int = 0) -> np.ndarray:
    B, S = tokens.shape
    mask = np.zeros((B, 1, S), dtype=bool)
    for b in range(B):
        for s in range(S):
            mask[b, 0, s] = tokens[b, s] != pad_id
    return mask
