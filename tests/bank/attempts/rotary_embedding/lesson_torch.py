"""repeat_interleave and a quarter turn."""
# causes: none

import torch


def apply_rope(x, positions, base=10000.0):
    D = x.shape[-1]
    if D % 2 != 0:
        raise ValueError("D must be even")
    inv_freq = 1.0 / (base ** (torch.arange(0, D, 2, dtype=x.dtype) / D))
    angles = torch.einsum("n,d->nd", positions.to(x.dtype), inv_freq)
    angles = torch.repeat_interleave(angles, 2, dim=-1)
    rot = torch.stack([-x[..., 1::2], x[..., 0::2]], dim=-1).reshape_as(x)
    return x * angles.cos() + rot * angles.sin()
