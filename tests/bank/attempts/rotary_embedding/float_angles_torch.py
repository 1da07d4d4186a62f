"""Frequencies by torch.arange(...).float(), as everywhere."""
# causes: angles_in_single_precision

import torch


def apply_rope(x, positions, base=10000.0):
    D = x.shape[-1]
    if D % 2 != 0:
        raise ValueError("D must be even")
    freqs = 1.0 / (base ** (torch.arange(0, D, 2)[: (D // 2)].float() / D))
    freqs = torch.outer(positions.float(), freqs)
    cos, sin = freqs.cos().to(x.dtype), freqs.sin().to(x.dtype)
    x1, x2 = x[..., ::2], x[..., 1::2]
    return torch.stack((x1 * cos - x2 * sin, x2 * cos + x1 * sin), -1).flatten(3)
