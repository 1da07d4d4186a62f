"""The functions of the framework in place of operators."""

import numpy as np


def padding_mask(tokens, pad_id=0):
    return np.expand_dims(np.logical_not(np.equal(tokens, pad_id)), 1)
