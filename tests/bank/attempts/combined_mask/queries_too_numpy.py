"""Padding sees nothing and is not seen."""
# causes: padded_queries_hidden

import numpy as np


def decoder_mask(tokens: np.ndarray, pad_id: int = 0) -> np.ndarray:
    L = tokens.shape[1]
    words = tokens != pad_id
    return words[:, None, :] & words[:, :, None] & np.tril(np.ones((L, L), dtype=bool))
