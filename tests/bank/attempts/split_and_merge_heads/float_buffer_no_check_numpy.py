"""Copy into zeros; D is E // H."""
# causes: other: everything becomes float64, split_drops_columns

import numpy as np


def split_heads(x: np.ndarray, num_heads: int) -> np.ndarray:
    B, L, E = x.shape
    D = E // num_heads
    out = np.zeros((B, num_heads, L, D))
    for h in range(num_heads):
        out[:, h] = x[:, :, h * D : (h + 1) * D]
    return out


def merge_heads(x: np.ndarray) -> np.ndarray:
    B, H, L, D = x.shape
    return x.swapaxes(1, 2).reshape(B, L, H * D)
