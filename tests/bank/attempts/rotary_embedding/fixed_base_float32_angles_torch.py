"""The base is 10000, and sines and cosines are good enough in float32."""
# causes: base_ignored, angles_in_single_precision

import torch


def rotation_table(positions, width):
    exponents = torch.arange(0, width, 2).float() / width
    speeds = 1.0 / (10000.0**exponents)
    return torch.polar(
        torch.ones(len(positions), width // 2), torch.einsum("n,i->ni", positions.float(), speeds)
    )


def apply_rope(x: torch.Tensor, positions: torch.Tensor, base: float = 10000.0) -> torch.Tensor:
    if x.shape[-1] % 2:
        raise ValueError("the width has to be even")
    table = rotation_table(positions, x.shape[-1])
    cos, sin = table.real.to(x.dtype), table.imag.to(x.dtype)
    pairs = x.reshape(*x.shape[:-1], -1, 2)
    a, b = pairs.unbind(-1)
    return torch.stack([a * cos - b * sin, a * sin + b * cos], -1).reshape(x.shape)
