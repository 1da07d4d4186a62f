"""view_as_complex and polar."""
import torch


def apply_rope(x, positions, base=10000.0):
    *lead, D = x.shape
    if D % 2:
        raise ValueError("odd")
    freqs = base ** -(torch.arange(0, D, 2, dtype=torch.float64) / D)
    angles = positions.double()[:, None] * freqs
    turn = torch.polar(torch.ones_like(angles), angles)
    turn = turn.to(torch.complex64 if x.dtype == torch.float32 else torch.complex128)
    z = torch.view_as_complex(x.contiguous().view(*lead, D // 2, 2))
    return torch.view_as_real(z * turn).flatten(-2)
