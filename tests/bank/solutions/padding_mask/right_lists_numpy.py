"""Nested lists, made an array at the end."""

import numpy as np


def padding_mask(tokens, pad_id=0):
    return np.array([[[bool(t != pad_id) for t in row]] for row in tokens], dtype=bool).reshape(len(tokens), 1, tokens.shape[1])
