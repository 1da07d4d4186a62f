"""A Toeplitz matrix by sliding windows: every row is a window of one vector of booleans."""
import numpy as np


def causal_mask(query_len: int, key_len: int | None = None) -> np.ndarray:
    keys = query_len if key_len is None else key_len
    line = np.arange(query_len + keys - 1) < keys
    return np.lib.stride_tricks.sliding_window_view(line, keys)[::-1].copy()
