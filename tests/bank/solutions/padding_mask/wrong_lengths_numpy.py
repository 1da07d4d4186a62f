"""Wrong: counts the words of each sequence and takes them to be the first ones."""
import numpy as np


def padding_mask(tokens, pad_id=0):
    lengths = (tokens != pad_id).sum(axis=1)
    return (np.arange(tokens.shape[1])[None] < lengths[:, None])[:, None, :]
