"""Wrong: casts the ids to int16 first, so 65 536 becomes 0."""
import numpy as np


def padding_mask(tokens, pad_id=0):
    return (tokens.astype(np.int16) != np.array(pad_id).astype(np.int16))[:, None, :]
