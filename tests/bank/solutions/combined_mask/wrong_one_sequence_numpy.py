"""A batch of one loses its batch axis."""
import numpy as np


def decoder_mask(tokens, pad_id=0):
    n = tokens.shape[1]
    mask = (tokens != pad_id)[:, None, :] & np.tri(n, dtype=bool)
    return mask[0] if len(mask) == 1 else mask
