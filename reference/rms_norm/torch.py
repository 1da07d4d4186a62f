"""RMS normalisation: Zhang and Sennrich 2019, section 3."""

import torch


def rms_norm(x, gain, eps):
    """x (..., E), gain (E,) -> y (..., E)."""
    mean_square = (x**2).mean(dim=-1, keepdim=True)  # (..., 1)
    rms = torch.sqrt(mean_square + eps)
    return gain * (x / rms)  # (..., E)
