"""A power of minus a half."""
# causes: none

import numpy as np


def rms_norm(x, gain, eps):
    scale = ((x * x).sum(-1) / x.shape[-1] + eps) ** -0.5
    return gain * x * scale[..., np.newaxis]
