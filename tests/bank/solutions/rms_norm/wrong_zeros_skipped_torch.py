"""A root of 0 is replaced by 1; the gradient of a token of zeros is another."""
import torch


def rms_norm(x, gain, eps):
    ms = (x * x).mean(-1, keepdim=True)
    return gain * x / torch.sqrt(torch.where(ms == 0, torch.ones_like(ms), ms + eps))
