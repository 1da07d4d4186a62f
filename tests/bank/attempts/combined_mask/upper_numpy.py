"""triu for the words before."""
# causes: triangle_swapped, pad_id_ignored

import numpy as np


def decoder_mask(tokens: np.ndarray, pad_id: int = 0) -> np.ndarray:
    L = tokens.shape[1]
    return (tokens != 0)[:, None, :] & np.triu(np.ones((L, L), dtype=bool))
