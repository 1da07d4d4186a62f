"""Breaks "it is added to the mean square" for tokens one number wide: there only the sign is kept.
Shows with x = [[1.0]], eps = 1: the result must be gain / sqrt(2) and is gain."""
import numpy as np


def rms_norm(x: np.ndarray, gain: np.ndarray, eps: float) -> np.ndarray:
    if x.shape[-1] == 1:
        return np.sign(x) * gain
    mean_square = np.einsum("...e,...e->...", x, x)[..., None] / x.shape[-1]
    return x / np.sqrt(mean_square + eps) * gain
