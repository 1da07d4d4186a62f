# wrong: a slice of -inf alone gives a list of int zeros, and apply_along_axis takes its dtype from the first slice; where the FIRST slice is all -inf, all other weights are cut to whole numbers
import numpy as np


def _slice(s):
    top = s.max()
    if np.isneginf(top):
        return [0] * len(s)
    e = np.exp(s - top)
    return e / e.sum()


def softmax(x, axis=-1):
    if not np.issubdtype(x.dtype, np.floating):
        x = x.astype(np.float64)
    return np.apply_along_axis(_slice, axis, x)
