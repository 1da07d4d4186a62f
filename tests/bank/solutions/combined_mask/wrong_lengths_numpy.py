"""Wrong: counts the words of each sequence and takes them to be the first ones."""
import numpy as np


def decoder_mask(tokens, pad_id=0):
    n = tokens.shape[1]
    lengths = (tokens != pad_id).sum(axis=1)
    return (np.arange(n) < lengths[:, None])[:, None, :] & np.tri(n, dtype=bool)
