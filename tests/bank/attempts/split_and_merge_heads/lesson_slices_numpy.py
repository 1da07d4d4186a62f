"""Stack slices, and concatenate heads."""
# causes: none

import numpy as np


def split_heads(x: np.ndarray, num_heads: int) -> np.ndarray:
    E = x.shape[-1]
    if E % num_heads:
        raise ValueError(f"{E} columns do not divide into {num_heads} heads")
    D = E // num_heads
    return np.stack([x[:, :, h * D : (h + 1) * D] for h in range(num_heads)], axis=1)


def merge_heads(x: np.ndarray) -> np.ndarray:
    return np.concatenate([x[:, h] for h in range(x.shape[1])], axis=-1)
