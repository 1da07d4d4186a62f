"""x W^T as a layer does, softmax over the first dimension."""
# causes: matrices_transposed, softmax_over_queries

import math

import torch
import torch.nn.functional as F


def self_attention(x: torch.Tensor, w_q: torch.Tensor, w_k: torch.Tensor, w_v: torch.Tensor):
    q, k, v = x @ w_q.T, x @ w_k.T, x @ w_v.T
    scores = q @ k.T / math.sqrt(q.size(-1))
    weights = F.softmax(scores, dim=0)
    return weights @ v, weights
