"""Copy into zeros, column by column."""
# causes: other: everything becomes float64

import numpy as np


def split_heads(x: np.ndarray, num_heads: int) -> np.ndarray:
    B, L, E = x.shape
    if E % num_heads:
        raise ValueError("E must be divisible by num_heads")
    D = E // num_heads
    out = np.zeros((B, num_heads, L, D))
    for h in range(num_heads):
        for d in range(D):
            out[:, h, :, d] = x[:, :, h * D + d]
    return out


def merge_heads(x: np.ndarray) -> np.ndarray:
    B, H, L, D = x.shape
    out = np.zeros((B, L, H * D))
    for h in range(H):
        out[:, :, h * D : (h + 1) * D] = x[:, h]
    return out
