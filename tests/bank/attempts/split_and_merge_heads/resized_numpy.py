"""Set the shape of x."""
# causes: split_reshapes_in_place, split_without_transpose

import numpy as np


def split_heads(x: np.ndarray, num_heads: int) -> np.ndarray:
    B, L, E = x.shape
    if E % num_heads:
        raise ValueError("E must be divisible by num_heads")
    x.shape = (B, num_heads, L, E // num_heads)
    return x


def merge_heads(x: np.ndarray) -> np.ndarray:
    B, H, L, D = x.shape
    return x.transpose(0, 2, 1, 3).reshape(B, L, H * D)
