"""The same with torch."""
# causes: none

import math

import torch
import torch.nn.functional as F


def self_attention(x: torch.Tensor, w_q: torch.Tensor, w_k: torch.Tensor, w_v: torch.Tensor):
    q = torch.matmul(x, w_q)
    k = torch.matmul(x, w_k)
    v = torch.matmul(x, w_v)
    scores = torch.matmul(q, k.transpose(0, 1)) / math.sqrt(k.shape[1])
    weights = F.softmax(scores, dim=-1)
    return torch.matmul(weights, v), weights
