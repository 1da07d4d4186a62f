"""Normalise."""
# causes: no_eps, no_gain

import torch


def rms_norm(x, gain, eps):
    return x / x.square().mean(-1, keepdim=True).sqrt()
