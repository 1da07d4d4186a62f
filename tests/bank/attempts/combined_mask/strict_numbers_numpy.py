"""An array of zeros in which the visible pairs are 1; a word does not need itself."""
# causes: diagonal_hidden, integers

import numpy as np


def decoder_mask(tokens: np.ndarray, pad_id: int = 0) -> np.ndarray:
    B, L = tokens.shape
    mask = np.zeros((B, L, L))
    for b in range(B):
        for i in range(L):
            for j in range(i):
                mask[b, i, j] = tokens[b, j] != pad_id
    return mask
