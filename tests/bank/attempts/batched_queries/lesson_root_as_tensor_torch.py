"""The root as a tensor."""
# causes: none

import torch


def batch_attention(queries: torch.Tensor, keys: torch.Tensor, values: torch.Tensor):
    d = queries.shape[-1]
    scores = queries @ keys.t() / torch.sqrt(torch.tensor(d))
    weights = torch.softmax(scores, dim=1)
    return weights @ values, weights
