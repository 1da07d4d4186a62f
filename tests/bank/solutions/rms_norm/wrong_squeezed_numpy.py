"""A sentence of one token loses an axis."""
import numpy as np


def rms_norm(x, gain, eps):
    y = gain * x / np.sqrt((x * x).mean(-1, keepdims=True) + eps)
    return y[0] if y.ndim > 1 and len(y) == 1 else y
