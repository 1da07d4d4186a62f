"""10000 is written out, from memory of the formula, and positions start at 1."""
# causes: base_ignored, positions_from_one

import torch


def apply_rope(x, positions, base=10000.0):
    D = x.shape[-1]
    if D % 2 != 0:
        raise ValueError("D must be even")
    inv_freq = 1.0 / (10000 ** (torch.arange(0, D, 2, dtype=x.dtype) / D))
    angles = (positions + 1).unsqueeze(-1) * inv_freq
    cos, sin = angles.cos(), angles.sin()
    x1, x2 = x[..., 0::2], x[..., 1::2]
    return torch.stack([x1 * cos - x2 * sin, x1 * sin + x2 * cos], dim=-1).flatten(-2)
