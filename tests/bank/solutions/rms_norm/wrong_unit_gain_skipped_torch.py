"""A gain of ones is left out, and gets no gradient."""

import torch


def rms_norm(x: torch.Tensor, gain: torch.Tensor, eps: float) -> torch.Tensor:
    """Divide every token by the root of its mean square, then stretch it."""
    y = x * torch.rsqrt(torch.mean(x * x, dim=-1, keepdim=True) + eps)
    if torch.equal(gain, torch.ones_like(gain)):
        return y
    return y * gain
