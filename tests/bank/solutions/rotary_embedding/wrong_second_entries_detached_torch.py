"""The gradient is that of half of the pairs."""
import torch


def apply_rope(x, positions, base=10000.0):
    D = x.shape[-1]
    if D % 2:
        raise ValueError("odd")
    a = positions[:, None] * base ** (-torch.arange(0, D, 2, dtype=x.dtype) / D)
    c, s = a.cos(), a.sin()
    p, q = x[..., ::2], x[..., 1::2].detach()
    return torch.stack([p * c - q * s, p * s + q * c], -1).flatten(-2)
