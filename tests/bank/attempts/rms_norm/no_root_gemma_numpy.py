"""The mean square, and 1 + gain."""
# causes: no_root, gain_plus_one

import numpy as np


def rms_norm(x, gain, eps):
    ms = np.square(x).mean(-1, keepdims=True) + eps
    return (1 + gain) * x / ms
