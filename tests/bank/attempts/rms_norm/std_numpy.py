"""Divide by the standard deviation."""
# causes: standard_deviation, eps_outside_the_root

import numpy as np


def rms_norm(x, gain, eps):
    return gain * x / (x.std(axis=-1, keepdims=True) + eps)
