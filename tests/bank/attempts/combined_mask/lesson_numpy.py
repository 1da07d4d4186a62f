"""Padding mask and triangle with a logical and."""
# causes: none

import numpy as np


def decoder_mask(tokens: np.ndarray, pad_id: int = 0) -> np.ndarray:
    L = tokens.shape[1]
    padding = (tokens != pad_id)[:, None, :]
    causal = np.tril(np.ones((L, L), dtype=bool))[None]
    return padding & causal
