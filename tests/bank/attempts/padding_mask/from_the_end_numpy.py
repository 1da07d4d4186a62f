"""Padding is at the end, so count the words and mark that many."""
# causes: other: the words are counted from the front, no_query_axis

import numpy as np


def padding_mask(tokens: np.ndarray, pad_id: int = 0) -> np.ndarray:
    lengths = (tokens != pad_id).sum(axis=1)
    return np.arange(tokens.shape[1])[None, :] < lengths[:, None]
