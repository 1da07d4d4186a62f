"""Complex numbers."""
# causes: none

import torch


def apply_rope(x, positions, base=10000.0):
    B, H, n, D = x.shape
    if D % 2:
        raise ValueError("D must be even")
    theta = base ** (-torch.arange(0, D, 2, dtype=x.dtype) / D)
    angles = positions.unsqueeze(1) * theta
    x_ = torch.complex(x[..., 0::2], x[..., 1::2])
    x_ = x_ * torch.complex(torch.cos(angles), torch.sin(angles))
    return torch.stack((x_.real, x_.imag), dim=-1).reshape(B, H, n, D)
