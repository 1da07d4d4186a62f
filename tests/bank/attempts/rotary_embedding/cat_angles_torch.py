"""Rotate every two, but angles as cat((freqs, freqs))."""
# causes: speeds_in_halves

import torch


def apply_rope(x, positions, base=10000.0):
    D = x.shape[-1]
    if D % 2:
        raise ValueError("D must be even")
    freqs = positions.to(x.dtype)[:, None] / base ** (torch.arange(0, D, 2, dtype=x.dtype) / D)
    emb = torch.cat([freqs, freqs], dim=-1)
    rotated = torch.empty_like(x)
    rotated[..., 0::2] = -x[..., 1::2]
    rotated[..., 1::2] = x[..., 0::2]
    return x * torch.cos(emb) + rotated * torch.sin(emb)
