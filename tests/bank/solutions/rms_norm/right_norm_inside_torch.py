"""The root of a sum of squares and E times eps, then the root of E."""
import torch


def rms_norm(x, gain, eps):
    E = x.shape[-1]
    length = torch.sqrt((x * x).sum(-1, keepdim=True) + E * eps)
    return gain * E**0.5 * x / length
