"""A stable descending sort."""
# causes: none

import math

import torch
import torch.nn.functional as F


def most_attended(x: torch.Tensor, k: int) -> tuple[torch.Tensor, torch.Tensor]:
    x = x if x.is_floating_point() else x.float()
    scores = x @ x.transpose(-2, -1) / math.sqrt(x.size(-1))
    weights = F.softmax(scores, dim=-1)
    values, indices = torch.sort(weights, dim=-1, descending=True, stable=True)
    return indices[:, :k], values[:, :k]
