"""Sliding windows, masked arrays, structured arrays, polynomials."""

import numpy as np


def work():
    windows = np.lib.stride_tricks.sliding_window_view(np.arange(6), 3)
    masked = np.ma.masked_where(windows > 3, windows)
    return (
        windows.shape == (4, 3)
        and masked.sum() == 17
        and np.polyfit([0, 1, 2], [1, 3, 5], 1).round(6).tolist() == [2.0, 1.0]
    )
