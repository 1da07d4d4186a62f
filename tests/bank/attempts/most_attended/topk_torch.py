"""topk gives the largest."""
# causes: top_k_of_the_framework

import math

import torch
import torch.nn.functional as F


def most_attended(x: torch.Tensor, k: int) -> tuple[torch.Tensor, torch.Tensor]:
    x = x if x.is_floating_point() else x.float()
    weights = F.softmax(x @ x.T / math.sqrt(x.size(-1)), dim=-1)
    values, indices = torch.topk(weights, k, dim=-1)
    return indices, values
