"""Stop the row at the first padding."""
# causes: padding_only_at_the_end

import numpy as np


def decoder_mask(tokens: np.ndarray, pad_id: int = 0) -> np.ndarray:
    B, L = tokens.shape
    mask = np.zeros((B, L, L), dtype=bool)
    for b in range(B):
        for i in range(L):
            for j in range(i + 1):
                if tokens[b, j] == pad_id:
                    break
                mask[b, i, j] = True
    return mask
