# Functions with names in place of symbols: compare, then put in the axis of the queries.
import numpy as np


def padding_mask(tokens, pad_id=0):
    return np.expand_dims(np.not_equal(tokens, pad_id), axis=1)
