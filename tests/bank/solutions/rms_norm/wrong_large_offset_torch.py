"""The mean is taken off where it is large."""
import torch


def rms_norm(x, gain, eps):
    mean = x.mean(-1, keepdim=True)
    x = torch.where(mean.abs() > 75, x - mean, x)
    return gain * x / torch.sqrt((x * x).mean(-1, keepdim=True) + eps)
