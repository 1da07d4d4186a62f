"""The delta rule, token by token (Schlag et al. 2021, section 4.2; Yang et al. 2024)."""

import numpy as np


def delta_rule(q, k, v, beta):
    """q, k (B, H, n, D), v (B, H, n, Dv), beta (B, H, n) -> (B, H, n, Dv)."""
    B, H, n, D = k.shape
    memory = np.zeros((B, H, D, v.shape[-1]), dtype=v.dtype)
    output = []
    for i in range(n):
        key = k[:, :, i, :, None]  # (B, H, D, 1)
        held = (key * memory).sum(axis=-2)  # (B, H, Dv), what the memory has under this key
        change = beta[:, :, i, None] * (v[:, :, i] - held)
        memory = memory + key * change[:, :, None]
        output.append((q[:, :, i, :, None] * memory).sum(axis=-2))
    return np.stack(output, axis=2)
