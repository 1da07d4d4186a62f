"""One reshape puts the heads side by side."""
# causes: merge_without_transpose

import numpy as np


def split_heads(x: np.ndarray, num_heads: int) -> np.ndarray:
    B, L, E = x.shape
    if E % num_heads:
        raise ValueError("E must be divisible by num_heads")
    return x.reshape(B, L, num_heads, E // num_heads).swapaxes(1, 2)


def merge_heads(x: np.ndarray) -> np.ndarray:
    B, H, L, D = x.shape
    return x.reshape(B, L, H * D)
