"""The entropy of each query, as a mean over the heads."""
# causes: entropy_of_each_query

import torch


def attention_statistics(weights: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    rows = -torch.special.xlogy(weights, weights).sum(dim=-1)
    received = weights.sum(dim=1).mean(dim=0)
    diagonal = torch.diagonal(weights, dim1=1, dim2=2).mean(dim=0)
    return rows.mean(dim=0), received, diagonal
