"""Breaks "Takes views": view_as_complex needs even strides, and double() does not copy a float64 tensor. Raises for float64
x = wide[..., :D] cut from an odd width, or for x = wide[..., ::2]; float32 slices are copied and right."""
import torch


def apply_rope(x, positions, base=10000.0):
    D = x.shape[-1]
    if D % 2:
        raise ValueError("D must be even")
    theta = float(base) ** (-torch.arange(0, D, 2, dtype=torch.float64, device=x.device) / D)
    angles = torch.outer(positions.double(), theta)
    turn = torch.polar(torch.ones_like(angles), angles)
    arrows = torch.view_as_complex(x.double().reshape(*x.shape[:-1], D // 2, 2))
    return torch.view_as_real(arrows * turn).flatten(-2).to(x.dtype)
