"""Layer norm without the bias."""
# causes: layer_norm

import numpy as np


def rms_norm(x, gain, eps):
    mu = x.mean(axis=-1, keepdims=True)
    var = x.var(axis=-1, keepdims=True)
    return gain * (x - mu) / np.sqrt(var + eps)
