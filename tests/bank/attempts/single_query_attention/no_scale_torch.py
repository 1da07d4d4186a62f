"""Compare with every key and apply softmax."""
# causes: no_scale

import torch


def attention(query: torch.Tensor, keys: torch.Tensor, values: torch.Tensor):
    scores = keys @ query
    weights = torch.softmax(scores, dim=0)
    return weights @ values, weights
