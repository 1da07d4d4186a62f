"""Ones and zeros, multiplied, with 0 as padding."""
# causes: pad_id_ignored, integers

import numpy as np


def decoder_mask(tokens: np.ndarray, pad_id: int = 0) -> np.ndarray:
    L = tokens.shape[1]
    return (tokens != 0)[:, None, :] * np.tril(np.ones((L, L)))
