"""x is taken as (B, n, H, D), as in Llama."""
# causes: heads_for_tokens

import torch


def apply_rope(x, positions, base=10000.0):
    D = x.shape[-1]
    if D % 2 != 0:
        raise ValueError("D must be even")
    theta = base ** (-torch.arange(0, D, 2, dtype=x.dtype) / D)
    angles = (positions[:, None] * theta)[None, :, None, :]
    cos, sin = angles.cos(), angles.sin()
    a, b = x[..., 0::2], x[..., 1::2]
    return torch.stack([a * cos - b * sin, a * sin + b * cos], -1).flatten(-2)
