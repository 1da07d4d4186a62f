"""Minus infinity outside the window."""
# causes: penalties, window_one_short

import numpy as np


def sliding_window_mask(n, window, causal=False):
    i = np.arange(n)
    d = i[:, None] - i[None, :]
    see = np.abs(d) < window
    if causal:
        see &= d >= 0
    return np.where(see, 0, -np.inf)
