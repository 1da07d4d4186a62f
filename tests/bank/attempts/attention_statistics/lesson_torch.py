"""xlogy takes care of zeros."""
# causes: none

import torch


def attention_statistics(weights: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    entropy = -torch.special.xlogy(weights, weights).sum(dim=-1).mean(dim=-1)
    received = weights.sum(dim=1).mean(dim=0)
    diagonal = torch.diagonal(weights, dim1=1, dim2=2).mean(dim=0)
    return entropy, received, diagonal
