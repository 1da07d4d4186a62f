"""An input is written to during the call, and put back."""
import torch


def apply_rope(x, positions, base=10000.0):
    D = x.shape[-1]
    if D % 2 != 0:
        raise ValueError(f"D must be even, not {D}")
    with torch.no_grad():
        keep = x.clone()
        x.mul_(3.0)
        x.copy_(keep)
    freqs = torch.pow(torch.tensor(base, dtype=torch.float64), -torch.arange(0, D, 2, dtype=torch.float64) / D)
    angle = torch.outer(positions.to(torch.float64), freqs)
    cis = torch.polar(torch.ones_like(angle), angle)
    xc = torch.view_as_complex(x.to(torch.float64).reshape(*x.shape[:-1], -1, 2).contiguous())
    return torch.view_as_real(xc * cis).flatten(3).type_as(x)
