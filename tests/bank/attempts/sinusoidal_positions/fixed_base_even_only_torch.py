"""10000 is the base of the paper, and there is one cosine for each sine."""
# causes: base_ignored, odd_width_not_cut

import torch


def sinusoidal_positions(n: int, E: int, base: float = 10000.0, start: int = 0) -> torch.Tensor:
    p = torch.arange(start, start + n, dtype=torch.float64)
    speeds = 10000.0 ** (-torch.arange(0, E, 2, dtype=torch.float64) / E)
    angles = torch.einsum("p,i->pi", p, speeds)
    encoding = torch.stack((angles.sin(), angles.cos()), dim=-1).reshape(n, E)
    return encoding.float()
