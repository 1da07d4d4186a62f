"""Column c belongs to head c mod H, both ways."""
# causes: split_interleaved, merge_interleaved

import numpy as np


def split_heads(x: np.ndarray, num_heads: int) -> np.ndarray:
    B, L, E = x.shape
    if E % num_heads:
        raise ValueError("E must be divisible by num_heads")
    return x.reshape(B, L, E // num_heads, num_heads).transpose(0, 3, 1, 2)


def merge_heads(x: np.ndarray) -> np.ndarray:
    B, H, L, D = x.shape
    return x.transpose(0, 2, 3, 1).reshape(B, L, H * D)
