"""Angles are kept by width and base, in the dtype of the call that needed them first."""

import torch

_kept = {}


def angles_of(width, base, longest, dtype):
    if (width, base) not in _kept or len(_kept[width, base]) <= longest:
        theta = base ** (-torch.arange(0, width, 2, dtype=dtype) / width)
        _kept[width, base] = torch.arange(longest + 1, dtype=dtype)[:, None] * theta
    return _kept[width, base].to(dtype)


def apply_rope(x, positions, base=10000.0):
    width = x.shape[-1]
    if width % 2:
        raise ValueError("the width must be even")
    angles = angles_of(width, float(base), int(positions.max()), x.dtype)[positions]
    cos, sin = angles.cos(), angles.sin()
    first, second = x[..., 0::2], x[..., 1::2]
    turned = (first * cos - second * sin, first * sin + second * cos)
    return torch.stack(turned, dim=-1).reshape(x.shape)
