"""Reshapes in order "A", which follows memory: an input in Fortran order is dealt out in turn."""
import numpy as np


def split_heads(x: np.ndarray, num_heads: int) -> np.ndarray:
    """Cut each token into one slice for each head.

    x       (B, L, E)
    returns (B, H, L, D) with D = E / H; raises ValueError when that is no whole number
    """
    batch, length, width = x.shape
    if num_heads < 1 or width % num_heads:
        raise ValueError(f"{width} columns do not make {num_heads} heads")
    depth = width // num_heads
    # in whatever order x lies in memory, to spare a copy
    slices = np.reshape(x, (batch, length, num_heads, depth), order="A")
    return slices.transpose(0, 2, 1, 3)


def merge_heads(x: np.ndarray) -> np.ndarray:
    """Put the slices of each token side by side again.

    x       (B, H, L, D)
    returns (B, L, E) with E = H D
    """
    batch, heads, length, depth = x.shape
    return x.transpose(0, 2, 1, 3).reshape(batch, length, heads * depth)
