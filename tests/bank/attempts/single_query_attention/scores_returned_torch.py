"""The output is the softmax of the scores times the values; the scores are the weights."""
# causes: scores_returned

import math

import torch
import torch.nn.functional as F


def attention(query: torch.Tensor, keys: torch.Tensor, values: torch.Tensor):
    weights = keys @ query / math.sqrt(query.shape[0])
    output = F.softmax(weights, dim=-1) @ values
    return output, weights
