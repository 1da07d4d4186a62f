"""The delta rule, token by token (Schlag et al. 2021, section 4.2; Yang et al. 2024)."""

import torch


def delta_rule(q, k, v, beta):
    """q, k (B, H, n, D), v (B, H, n, Dv), beta (B, H, n) -> (B, H, n, Dv)."""
    B, H, n, D = k.shape
    memory = v.new_zeros(B, H, D, v.shape[-1])
    output = []
    for i in range(n):
        key = k[:, :, i, :, None]  # (B, H, D, 1)
        held = (key * memory).sum(dim=-2)  # (B, H, Dv), what the memory has under this key
        change = beta[:, :, i, None] * (v[:, :, i] - held)
        memory = memory + key * change[:, :, None]
        output.append((q[:, :, i, :, None] * memory).sum(dim=-2))
    return torch.stack(output, dim=2)
