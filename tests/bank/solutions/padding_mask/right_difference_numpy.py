"""What is left of a token when the padding id is taken away, as yes or no."""
import numpy as np


def padding_mask(tokens, pad_id=0):
    different = np.subtract(tokens, pad_id, dtype=np.int64).astype(bool)
    return np.expand_dims(different, -2)
