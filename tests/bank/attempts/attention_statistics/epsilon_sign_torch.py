"""Sum of a log a, with an epsilon."""
# causes: large_epsilon, negative

import torch


def attention_statistics(weights: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    entropy = (weights * torch.log(weights + 1e-2)).sum(dim=-1).mean(dim=-1)
    received = weights.sum(dim=1).mean(dim=0)
    diagonal = torch.diagonal(weights, dim1=1, dim2=2).mean(dim=0)
    return entropy, received, diagonal
