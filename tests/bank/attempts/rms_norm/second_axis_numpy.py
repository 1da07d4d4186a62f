"""axis=1, for a table of tokens."""
# causes: over_the_second_axis

import numpy as np


def rms_norm(x, gain, eps):
    if x.ndim == 1:
        return rms_norm(x[None], gain, eps)[0]
    ms = (x**2).mean(axis=1, keepdims=True)
    return x / np.sqrt(ms + eps) * gain
