"""The norm over the root of E, as in the paper's own code."""
# causes: eps_outside_the_root

import torch


def rms_norm(x, gain, eps):
    d = x.shape[-1]
    rms = x.norm(2, dim=-1, keepdim=True) * d ** (-1.0 / 2)
    return gain * (x / (rms + eps))
