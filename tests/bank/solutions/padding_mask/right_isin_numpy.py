"""Right: set membership, inverted."""
import numpy as np


def padding_mask(tokens, pad_id=0):
    return np.isin(tokens[:, np.newaxis], [pad_id], invert=True)
