# A pair is a complex number, and a turn is a product with one of length 1.
import torch


def apply_rope(x, positions, base=10000.0):
    D = x.shape[-1]
    if D % 2 != 0:
        raise ValueError(f"a width of {D} cannot be taken apart into pairs")
    speeds = base ** (-torch.arange(0, D, 2, dtype=torch.float64) / D)
    angles = torch.outer(positions.to(torch.float64), speeds)  # (n, D/2)
    turns = torch.polar(torch.ones_like(angles), angles)
    pairs = torch.complex(x[..., 0::2], x[..., 1::2])  # (B, H, n, D/2)
    return torch.view_as_real(pairs * turns.to(pairs.dtype)).flatten(-2)
