"""The root as a tensor of the same type."""
# causes: none

import torch


def batch_attention(queries: torch.Tensor, keys: torch.Tensor, values: torch.Tensor):
    d = torch.tensor(queries.shape[-1], dtype=queries.dtype)
    scores = queries @ keys.t() / torch.sqrt(d)
    weights = torch.softmax(scores, dim=1)
    return weights @ values, weights
