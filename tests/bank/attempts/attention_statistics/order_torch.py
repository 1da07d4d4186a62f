"""Entropy, diagonal and received; sums over heads."""
# causes: other: received and diagonal have changed places, received_sum_over_heads

import torch


def attention_statistics(weights: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    entropy = -torch.special.xlogy(weights, weights).sum(dim=-1).mean(dim=-1)
    received = weights.sum(dim=1).sum(dim=0)
    diagonal = torch.diagonal(weights, dim1=1, dim2=2).mean(dim=0)
    return entropy, diagonal, received
