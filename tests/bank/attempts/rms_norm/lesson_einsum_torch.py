"""The sum of squares by einsum."""
# causes: none

import torch


def rms_norm(x, gain, eps):
    ss = torch.einsum("...e,...e->...", x, x) / x.size(-1)
    return x / (ss + eps).sqrt().unsqueeze(-1) * gain
