"""matmul with K transposed and F.softmax."""
# causes: none

import math

import torch
import torch.nn.functional as F


def batch_attention(queries: torch.Tensor, keys: torch.Tensor, values: torch.Tensor):
    scores = torch.matmul(queries, keys.transpose(-2, -1)) / math.sqrt(queries.size(-1))
    weights = F.softmax(scores, dim=-1)
    return torch.matmul(weights, values), weights
