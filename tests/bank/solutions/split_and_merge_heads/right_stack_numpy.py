"""In another style: stack."""

import numpy as np


def split_heads(x, num_heads):
    if x.shape[-1] % num_heads:
        raise ValueError("no")
    return np.stack(np.split(x, num_heads, axis=-1), axis=1)


def merge_heads(x):
    return np.concatenate(list(x.swapaxes(0, 1)), axis=-1)
