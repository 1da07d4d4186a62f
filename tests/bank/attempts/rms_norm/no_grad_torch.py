"""Statistics under no_grad."""
# causes: root_detached

import torch


def rms_norm(x, gain, eps):
    with torch.no_grad():
        inv = torch.rsqrt((x * x).mean(dim=-1, keepdim=True) + eps)
    return gain * x * inv
