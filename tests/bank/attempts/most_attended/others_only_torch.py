"""A word attends to the others."""
# causes: itself_left_out

import math

import torch
import torch.nn.functional as F


def most_attended(x: torch.Tensor, k: int) -> tuple[torch.Tensor, torch.Tensor]:
    x = x if x.is_floating_point() else x.float()
    weights = F.softmax(x @ x.T / math.sqrt(x.size(-1)), dim=-1)
    ranked = weights.clone()
    ranked.fill_diagonal_(-1)
    indices = torch.argsort(ranked, dim=-1, descending=True, stable=True)[:, :k]
    return indices, weights.gather(1, indices)
