"""Reshape to the shape that is asked for, and back."""
# causes: split_without_transpose|both_without_transpose, merge_without_transpose|both_without_transpose

import numpy as np


def split_heads(x: np.ndarray, num_heads: int) -> np.ndarray:
    B, L, E = x.shape
    if E % num_heads:
        raise ValueError("E must be divisible by num_heads")
    return x.reshape(B, num_heads, L, E // num_heads)


def merge_heads(x: np.ndarray) -> np.ndarray:
    B, H, L, D = x.shape
    return x.reshape(B, L, H * D)
