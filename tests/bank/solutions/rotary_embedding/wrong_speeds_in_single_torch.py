"""Speeds in float32 for float64 inputs."""
import torch


def apply_rope(x, positions, base=10000.0):
    D = x.shape[-1]
    if D % 2:
        raise ValueError("odd")
    a = positions[:, None] * (base ** (-torch.arange(0, D, 2) / D)).to(x.dtype)
    c, s = a.cos().to(x.dtype), a.sin().to(x.dtype)
    p, q = x[..., ::2], x[..., 1::2]
    return torch.stack([p * c - q * s, p * s + q * c], -1).flatten(-2)
