"""Right: index arrays say which column each entry comes from (fancy indexing, always a copy); merging reads head e // D and
column e % D."""
import numpy as np


def split_heads(x, num_heads):
    E = x.shape[2]
    D, rest = divmod(E, num_heads) if num_heads else (0, 1)
    if rest or D < 1:
        raise ValueError("E must be divisible by num_heads")
    columns = np.arange(E).reshape(num_heads, D)
    return np.moveaxis(x[:, :, columns], 2, 1)


def merge_heads(x):
    H, D = x.shape[1], x.shape[3]
    head, column = np.divmod(np.arange(H * D), D)
    picked = x[:, head, :, column]               # the two indexed axes come first: E, B, L
    return np.moveaxis(picked, 0, -1)
