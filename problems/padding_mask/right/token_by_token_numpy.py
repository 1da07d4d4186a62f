# One token after the other, in plain Python; the inner brackets are the axis of length 1.
import numpy as np


def padding_mask(tokens, pad_id=0):
    rows = [[[token != pad_id for token in sentence]] for sentence in tokens.tolist()]
    return np.array(rows, dtype=bool)
