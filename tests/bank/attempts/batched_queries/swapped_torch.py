"""Weights and output, in this order."""
# causes: results_exchanged

import math

import torch
import torch.nn.functional as F


def batch_attention(queries: torch.Tensor, keys: torch.Tensor, values: torch.Tensor):
    d = queries.size(-1)
    weights = F.softmax(queries @ keys.T / math.sqrt(d), dim=-1)
    return weights, weights @ values
