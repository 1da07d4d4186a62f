"""einsum."""
import torch


def rms_norm(x, gain, eps):
    ms = torch.einsum("...e,...e->...", x, x) / x.size(-1)
    return torch.einsum("...e,e,...->...e", x, gain, torch.rsqrt(ms + eps))
