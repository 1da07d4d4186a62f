"""Single precision is precise enough for a softmax of dot products."""
# causes: float32_results|float32_inside, no_scale

import torch


def attention(query: torch.Tensor, keys: torch.Tensor, values: torch.Tensor):
    scores = keys.float() @ query.float()
    weights = torch.softmax(scores, dim=0).to(values.dtype)
    return weights @ values, weights
