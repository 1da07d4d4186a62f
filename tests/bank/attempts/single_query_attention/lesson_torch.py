"""matmul, math.sqrt and F.softmax."""
# causes: none

import math

import torch
import torch.nn.functional as F


def attention(query: torch.Tensor, keys: torch.Tensor, values: torch.Tensor):
    scores = torch.matmul(keys, query) / math.sqrt(query.size(-1))
    weights = F.softmax(scores, dim=-1)
    return torch.matmul(weights, values), weights
