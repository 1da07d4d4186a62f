"""float64 inside, cast back."""
import numpy as np


def rms_norm(x, gain, eps):
    wide = x.astype(np.float64)
    rms = np.sqrt(np.mean(wide * wide, axis=-1, keepdims=True) + eps)
    return (gain * wide / rms).astype(x.dtype)
