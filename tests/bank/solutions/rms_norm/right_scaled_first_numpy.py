"""Each token is divided by its largest number first, which no square can overflow."""
import numpy as np


def rms_norm(x, gain, eps):
    top = np.maximum(np.abs(x).max(axis=-1, keepdims=True), x.dtype.type(np.sqrt(eps)))
    small = x / top
    rms = np.sqrt((small * small).mean(axis=-1, keepdims=True) + eps / (top * top))
    return gain * (small / rms)
