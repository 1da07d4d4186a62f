"""Tokens whose mean squares are within a thousandth of 1 are passed on as they are."""

import numpy as np


def rms_norm(x, gain, eps):
    ms = (x * x).mean(axis=-1, keepdims=True)
    if np.allclose(ms, 1, rtol=1e-3):
        return x * gain
    return x / np.sqrt(ms + eps) * gain
