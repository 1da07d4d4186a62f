"""rsqrt, as in Llama."""
# causes: none

import torch


def rms_norm(x: torch.Tensor, gain: torch.Tensor, eps: float) -> torch.Tensor:
    return gain * (x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + eps))
