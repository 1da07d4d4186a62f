"""I work in float32 like every model, and give back the weights and then what they make."""
# causes: results_exchanged, float32_results

import math

import torch


def attention(query: torch.Tensor, keys: torch.Tensor, values: torch.Tensor):
    query, keys, values = query.float(), keys.float(), values.float()
    scores = torch.mv(keys, query) / math.sqrt(query.numel())
    weights = torch.softmax(scores, dim=-1)
    output = (weights.unsqueeze(1) * values).sum(dim=0)
    return weights, output
