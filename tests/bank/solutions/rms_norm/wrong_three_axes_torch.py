"""Flattened to three axes and not unfolded again."""
import torch


def rms_norm(x, gain, eps):
    if x.dim() > 3:
        x = x.flatten(0, -3)
    return gain * x / torch.sqrt((x * x).mean(-1, keepdim=True) + eps)
