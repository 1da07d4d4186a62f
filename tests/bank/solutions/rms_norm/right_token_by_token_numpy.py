"""A loop over tokens."""
import numpy as np


def rms_norm(x, gain, eps):
    y = np.empty(x.shape, dtype=x.dtype)
    for i in np.ndindex(x.shape[:-1]):
        y[i] = gain * x[i] / np.sqrt(x[i] @ x[i] / len(gain) + eps)
    return y
