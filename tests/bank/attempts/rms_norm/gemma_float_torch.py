"""Gemma, in float."""
# causes: gain_plus_one, single_precision

import torch


def _norm(x, eps):
    return x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + eps)


def rms_norm(x: torch.Tensor, gain: torch.Tensor, eps: float) -> torch.Tensor:
    output = _norm(x.float(), eps)
    output = output * (1.0 + gain)
    return output.type_as(x)
