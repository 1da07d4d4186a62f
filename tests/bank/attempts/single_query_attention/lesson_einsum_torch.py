"""The two sums as einsum."""
# causes: none

import torch


def attention(query: torch.Tensor, keys: torch.Tensor, values: torch.Tensor):
    scores = torch.einsum("d,nd->n", query, keys) / query.shape[0] ** 0.5
    weights = torch.softmax(scores, dim=0)
    return torch.einsum("n,nd->d", weights, values), weights
