"""The mean over heads and queries."""
# causes: received_mean_over_queries

import torch


def attention_statistics(weights: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    entropy = -torch.special.xlogy(weights, weights).sum(dim=-1).mean(dim=-1)
    received = weights.mean(dim=(0, 1))
    diagonal = weights.diagonal(dim1=-2, dim2=-1).mean(dim=0)
    return entropy, received, diagonal
