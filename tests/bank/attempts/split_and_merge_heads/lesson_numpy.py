"""Reshape and transpose, and back."""
# causes: none

import numpy as np


def split_heads(x: np.ndarray, num_heads: int) -> np.ndarray:
    B, L, E = x.shape
    if E % num_heads != 0:
        raise ValueError("E must be divisible by num_heads")
    return x.reshape(B, L, num_heads, E // num_heads).transpose(0, 2, 1, 3)


def merge_heads(x: np.ndarray) -> np.ndarray:
    B, H, L, D = x.shape
    return x.transpose(0, 2, 1, 3).reshape(B, L, H * D)
