"""Right: each position and pair has a 2 x 2 rotation matrix, and one einsum over unflattened pairs applies them all."""
import math

import torch


def apply_rope(x, positions, base=10000.0):
    D = x.shape[-1]
    if D % 2 != 0:
        raise ValueError("odd width")
    pairs = D // 2
    theta = torch.tensor([math.pow(base, -2 * i / D) for i in range(pairs)], dtype=torch.float64, device=x.device)
    angle = positions.to(torch.float64).unsqueeze(1) * theta                # n, pairs
    c, s = angle.cos(), angle.sin()
    R = torch.stack([torch.stack([c, -s], -1), torch.stack([s, c], -1)], -2).to(x.dtype)     # n, pairs, 2, 2
    arrows = x.reshape(*x.shape[:-1], pairs, 2)
    return torch.einsum("nioe,bhnie->bhnio", R, arrows).reshape(x.shape)
