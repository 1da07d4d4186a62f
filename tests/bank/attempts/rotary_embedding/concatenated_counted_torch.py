"""Even and odd entries, cat, positions from arange."""
# causes: pairs_taken_apart, positions_counted

import torch


def apply_rope(x, positions, base=10000.0):
    B, H, n, D = x.shape
    if D % 2 != 0:
        raise ValueError("D must be even")
    theta = base ** (-torch.arange(0, D, 2, dtype=x.dtype) / D)
    m = torch.arange(n, dtype=x.dtype)[:, None] * theta[None, :]
    even, odd = x[..., ::2], x[..., 1::2]
    return torch.cat(
        [even * m.cos() - odd * m.sin(), even * m.sin() + odd * m.cos()], dim=-1
    )
