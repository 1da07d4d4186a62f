"""Ids become floats before they are compared."""
import numpy as np


def padding_mask(tokens, pad_id=0):
    return (np.abs(tokens.astype(float) - pad_id) > 0)[:, None]
