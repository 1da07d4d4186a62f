"""np.linalg.norm."""
# causes: sum_of_squares, eps_outside_the_root

import numpy as np


def rms_norm(x, gain, eps):
    return gain * x / (np.linalg.norm(x, axis=-1, keepdims=True) + eps)
