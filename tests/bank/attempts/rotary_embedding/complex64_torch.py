"""Llama's complex numbers: everything in float32; no check of the width."""
# causes: float32_results, width_not_checked

import torch


def apply_rope(x, positions, base=10000.0):
    D = x.shape[-1]
    freqs = 1.0 / (base ** (torch.arange(0, D, 2).double() / D))
    angles = torch.outer(positions.double(), freqs).float()
    cis = torch.polar(torch.ones_like(angles), angles)
    xc = torch.view_as_complex(x.float().reshape(*x.shape[:-1], -1, 2))
    return torch.view_as_real(xc * cis).flatten(3)
