"""Rotary position embedding: Su et al. 2021, equation 34."""

import numpy as np


def apply_rope(x, positions, base=10000.0):
    """x (B, H, n, D), positions (n,) -> (B, H, n, D)."""
    D = x.shape[-1]
    if D % 2 != 0:
        raise ValueError(f"a width of {D} cannot be taken apart into pairs")
    theta = base ** (-np.arange(0, D, 2) / D)  # (D/2,) angle per position, for each pair
    angles = positions[:, None] * theta  # (n, D/2)
    cos = np.cos(angles).astype(x.dtype)
    sin = np.sin(angles).astype(x.dtype)

    first, second = x[..., 0::2], x[..., 1::2]  # (B, H, n, D/2) each
    rotated = np.stack([first * cos - second * sin, first * sin + second * cos], axis=-1)
    return rotated.reshape(x.shape)  # (B, H, n, D/2, 2) -> (B, H, n, D)
