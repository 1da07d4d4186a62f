"""Breaks "the angles too are computed in float64": a quotient of two integers is float32 in torch, so the exponents 2i/D
are rounded before they become float64. Exact for D a power of two; in float64 with D = 6 and positions of 1000 off by 1e-5."""
import torch


def apply_rope(x, positions, base=10000.0):
    D = x.shape[-1]
    if D % 2:
        raise ValueError("D must be even")
    exponents = (torch.arange(0, D, 2, device=x.device) / D).double()
    angles = torch.outer(positions.double(), float(base) ** -exponents)
    cos, sin = angles.cos().to(x.dtype), angles.sin().to(x.dtype)
    even, odd = x[..., 0::2], x[..., 1::2]
    return torch.stack([even * cos - odd * sin, even * sin + odd * cos], dim=-1).flatten(-2)
