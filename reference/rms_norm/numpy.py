"""RMS normalisation: Zhang and Sennrich 2019, section 3."""

import numpy as np


def rms_norm(x, gain, eps):
    """x (..., E), gain (E,) -> y (..., E)."""
    mean_square = (x**2).mean(axis=-1, keepdims=True)  # (..., 1)
    rms = np.sqrt(mean_square + eps)
    return gain * (x / rms)  # (..., E)
