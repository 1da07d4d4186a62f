# Columns are cut apart and stacked, then taken from the stack and put side by side again.
import numpy as np


def split_heads(x, num_heads):
    if x.shape[-1] % num_heads != 0:
        raise ValueError(f"{num_heads} heads do not divide a width of {x.shape[-1]}")
    return np.stack(np.split(x, num_heads, axis=-1), axis=1)


def merge_heads(x):
    return np.concatenate([x[:, h] for h in range(x.shape[1])], axis=-1)
