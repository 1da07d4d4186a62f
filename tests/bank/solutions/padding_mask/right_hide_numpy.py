"""Right: begins with everything visible and hides the padding; the result is a non-contiguous view."""
import numpy as np


def padding_mask(tokens, pad_id=0):
    seen = np.ones(tokens.T.shape, dtype=np.bool_)
    seen[tokens.T == pad_id] = False
    return seen.T.reshape(len(tokens), 1, -1)
