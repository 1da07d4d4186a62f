"""The distance to the padding id is positive, unless it overflows."""

import numpy as np


def decoder_mask(tokens, pad_id=0):
    words = np.abs(tokens - pad_id) > 0
    n = tokens.shape[1]
    return words[:, None] & np.tri(n, dtype=bool)
