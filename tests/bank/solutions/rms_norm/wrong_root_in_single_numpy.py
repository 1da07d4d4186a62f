"""The mean square goes through float32."""
import numpy as np


def rms_norm(x, gain, eps):
    ms = (x * x).mean(-1, keepdims=True).astype(np.float32)
    return (gain * x / np.sqrt(ms + eps)).astype(x.dtype)
