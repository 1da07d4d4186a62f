"""As the formula has it."""
# causes: none

import torch


def differential_attention(q1, k1, q2, k2, v, lam) -> torch.Tensor:
    scale = q1.shape[-1] ** 0.5
    a1 = torch.softmax(q1 @ k1.transpose(-2, -1) / scale, dim=-1)
    a2 = torch.softmax(q2 @ k2.transpose(-2, -1) / scale, dim=-1)
    diff = a1 - lam.view(1, -1, 1, 1) * a2
    return diff @ v
