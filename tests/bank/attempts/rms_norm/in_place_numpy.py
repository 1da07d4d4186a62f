"""/= and *=."""
# causes: divided_in_place

import numpy as np


def rms_norm(x, gain, eps):
    x /= np.sqrt(np.mean(np.square(x), axis=-1, keepdims=True) + eps)
    return x * gain
