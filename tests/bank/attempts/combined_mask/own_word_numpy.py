"""No row may stay empty, so a word always sees itself."""
# causes: diagonal_always_seen

import numpy as np


def decoder_mask(tokens: np.ndarray, pad_id: int = 0) -> np.ndarray:
    B, L = tokens.shape
    mask = (tokens != pad_id)[:, None, :] & np.tril(np.ones((L, L), dtype=bool))
    mask[:, np.arange(L), np.arange(L)] = True
    return mask
