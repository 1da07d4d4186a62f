"""Every H-th column belongs to a head."""
# causes: split_interleaved

import numpy as np


def split_heads(x: np.ndarray, num_heads: int) -> np.ndarray:
    if x.shape[-1] % num_heads:
        raise ValueError("E must be divisible by num_heads")
    return np.stack([x[:, :, h::num_heads] for h in range(num_heads)], axis=1)


def merge_heads(x: np.ndarray) -> np.ndarray:
    return np.concatenate([x[:, h] for h in range(x.shape[1])], axis=-1)
