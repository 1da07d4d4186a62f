"""Minus infinity for what is padding, as the tokens lie."""
# causes: penalties, no_query_axis

import numpy as np


def padding_mask(tokens, pad_id=0):
    return np.where(tokens == pad_id, -np.inf, 0.0)
