"""eps goes through float32."""
import numpy as np


def rms_norm(x, gain, eps):
    return x / np.sqrt((x * x).mean(-1, keepdims=True) + np.float32(eps)) * gain
