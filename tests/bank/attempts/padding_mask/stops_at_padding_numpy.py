"""Go on until the first padding."""
# causes: ends_at_first_padding

import numpy as np


def padding_mask(tokens: np.ndarray, pad_id: int = 0) -> np.ndarray:
    B, S = tokens.shape
    mask = np.zeros((B, 1, S), dtype=bool)
    for b in range(B):
        for s in range(S):
            if tokens[b, s] == pad_id:
                break
            mask[b, 0, s] = True
    return mask
