"""Tokens whose mean squares are within a thousandth of 1 are passed on as they are."""

import torch


def rms_norm(x: torch.Tensor, gain: torch.Tensor, eps: float) -> torch.Tensor:
    """Divide every token by the root of its mean square, then stretch it."""
    mean_square = x.square().mean(dim=-1, keepdim=True)
    if torch.allclose(mean_square, torch.ones_like(mean_square), rtol=1e-3, atol=0.0):
        return x * gain
    return x / torch.sqrt(mean_square + eps) * gain
