"""Slices of columns, stacked and concatenated."""
import numpy as np


def split_heads(x, num_heads):
    width, rest = divmod(x.shape[-1], num_heads)
    if rest or width == 0:
        raise ValueError("does not fit")
    return np.stack([x[..., h * width : (h + 1) * width] for h in range(num_heads)], axis=1)


def merge_heads(x):
    return np.concatenate([x[:, h] for h in range(x.shape[1])], axis=-1)
