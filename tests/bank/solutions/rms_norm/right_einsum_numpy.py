"""einsum, and a result that is not contiguous."""
import numpy as np


def rms_norm(x, gain, eps):
    square = np.einsum("...e,...e->...", x, x) / x.shape[-1] + eps
    y = np.empty(x.shape[::-1], dtype=x.dtype).T
    y[...] = np.einsum("...e,e,...->...e", x, gain, square**-0.5)
    return y
