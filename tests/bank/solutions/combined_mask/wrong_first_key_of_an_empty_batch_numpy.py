"""Opens the first key of every query where the whole batch is padding."""

import numpy as np


def decoder_mask(tokens, pad_id=0):
    real = tokens != pad_id
    if not real.any():
        real[:, 0] = True
    return real[:, None] & np.tri(tokens.shape[1], dtype=bool)
