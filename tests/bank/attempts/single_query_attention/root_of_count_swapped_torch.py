"""Divide by the root of the size of keys, and return the weights with the output."""
# causes: root_of_key_count, results_exchanged

import math

import torch


def attention(query: torch.Tensor, keys: torch.Tensor, values: torch.Tensor):
    scores = keys.matmul(query) / math.sqrt(keys.size(0))
    weights = scores.softmax(-1)
    return weights, weights.matmul(values)
