# wrong: the band is kept for n and window and the causal cut is made in the kept array; after a causal call, the same n and window without causal get the causal mask too
from functools import lru_cache

import numpy as np


@lru_cache(maxsize=64)
def _band(n, window):
    place = np.arange(n)
    return abs(place[:, None] - place) <= window


def sliding_window_mask(n, window, causal=False):
    mask = _band(n, window)
    if causal:
        mask &= np.tri(n, dtype=bool)
    return mask.copy()
