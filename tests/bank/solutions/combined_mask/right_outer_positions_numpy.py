"""A visible key's position, or one past the end where it is padding, compared with the query's."""
import numpy as np


def decoder_mask(tokens, pad_id=0):
    length = tokens.shape[1]
    position = np.where(tokens == pad_id, length, np.arange(length))
    return np.less_equal.outer(position, np.arange(length)).swapaxes(1, 2)
