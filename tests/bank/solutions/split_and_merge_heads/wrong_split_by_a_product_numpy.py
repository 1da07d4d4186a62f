"""The split is a product with an identity: 0 times infinity is NaN."""
import numpy as np

def split_heads(x, num_heads):
    if x.shape[2] % num_heads:
        raise ValueError("no whole number")
    E = x.shape[2]
    pick = np.eye(E, dtype=x.dtype).reshape(E, num_heads, -1)
    return np.einsum("ble,ehd->bhld", x, pick)


def merge_heads(x):
    return np.concatenate(list(np.moveaxis(x, 1, 0)), axis=-1)
