"""Right: comparison of positions and of tokens, joined by logical_and."""
import numpy as np


def decoder_mask(tokens, pad_id=0):
    position = np.arange(tokens.shape[1])
    return np.logical_and(position[None, None, :] <= position[None, :, None], (tokens != pad_id)[:, None])
