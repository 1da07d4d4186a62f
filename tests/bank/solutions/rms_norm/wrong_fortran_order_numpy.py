"""Tokens are read in the order in which an array without gaps lies in memory."""

import numpy as np


def rms_norm(x, gain, eps):
    rows = x.ravel(order="A").reshape(-1, x.shape[-1])
    rms = np.sqrt((rows * rows).mean(axis=-1, keepdims=True) + eps)
    return (gain * (rows / rms)).reshape(x.shape)
