"""Softmax of x times x transposed."""
# causes: no_scale

import torch
import torch.nn.functional as F


def most_attended(x: torch.Tensor, k: int) -> tuple[torch.Tensor, torch.Tensor]:
    x = x if x.is_floating_point() else x.float()
    weights = F.softmax(x @ x.T, dim=-1)
    values, indices = torch.sort(weights, dim=-1, descending=True, stable=True)
    return indices[:, :k], values[:, :k]
