"""Rotary position embedding: Su et al. 2021, equation 34."""

import torch


def apply_rope(x, positions, base=10000.0):
    """x (B, H, n, D), positions (n,) -> (B, H, n, D)."""
    D = x.shape[-1]
    if D % 2 != 0:
        raise ValueError(f"a width of {D} cannot be taken apart into pairs")
    theta = base ** (-torch.arange(0, D, 2, dtype=x.dtype) / D)  # (D/2,) angle per position
    angles = positions[:, None] * theta  # (n, D/2)
    cos = torch.cos(angles)
    sin = torch.sin(angles)

    first, second = x[..., 0::2], x[..., 1::2]  # (B, H, n, D/2) each
    rotated = torch.stack([first * cos - second * sin, first * sin + second * cos], dim=-1)
    return rotated.reshape(x.shape)  # (B, H, n, D/2, 2) -> (B, H, n, D)
