"""The gain is clamped in place, and then put to rights for the result only."""
import torch


def rms_norm(x, gain, eps):
    y = gain * x / torch.sqrt((x * x).mean(-1, keepdim=True) + eps)
    if not gain.requires_grad:
        gain.abs_()
    return y
