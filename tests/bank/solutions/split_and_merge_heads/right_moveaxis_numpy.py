"""moveaxis on a reshape; concatenate on the way back."""
import numpy as np


def split_heads(x, num_heads):
    *lead, width = x.shape
    d, rest = divmod(width, num_heads)
    if rest:
        raise ValueError(f"{width} columns for {num_heads} heads")
    return np.moveaxis(np.reshape(x, (*lead, num_heads, d)), -2, 1)


def merge_heads(x):
    return np.concatenate(np.moveaxis(x, 1, 0), axis=-1)
