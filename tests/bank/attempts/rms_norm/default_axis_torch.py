"""Mean of the squares."""
# causes: over_everything

import torch


def rms_norm(x, gain, eps):
    rms = torch.sqrt(torch.mean(x**2) + eps)
    return x / rms * gain
