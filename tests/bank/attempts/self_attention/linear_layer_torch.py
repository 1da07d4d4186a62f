"""F.linear applies a weight matrix."""
# causes: matrices_transposed

import math

import torch
import torch.nn.functional as F


def self_attention(x: torch.Tensor, w_q: torch.Tensor, w_k: torch.Tensor, w_v: torch.Tensor):
    q, k, v = F.linear(x, w_q), F.linear(x, w_k), F.linear(x, w_v)
    scores = q @ k.T / math.sqrt(q.size(-1))
    weights = F.softmax(scores, dim=-1)
    return weights @ v, weights
