"""Breaks "float64 in, float64 out" for n = 1: the one weight is made with the default dtype.
Shows with float64 and a single key: weights are float32."""
import math

import torch


def attention(query: torch.Tensor, keys: torch.Tensor, values: torch.Tensor):
    if len(keys) == 1:
        return values[0].clone(), torch.ones(1)
    weights = torch.softmax(torch.mv(keys, query) / math.sqrt(len(query)), dim=0)
    return torch.mv(values.t(), weights), weights
