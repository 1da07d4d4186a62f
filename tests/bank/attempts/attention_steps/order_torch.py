"""Return the output first, as always."""
# causes: results_reversed

import math

import torch
import torch.nn.functional as F


def attention_steps(x: torch.Tensor, w_q: torch.Tensor, w_k: torch.Tensor, w_v: torch.Tensor):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    scores = q @ k.T
    scaled = scores / math.sqrt(q.size(1))
    weights = F.softmax(scaled, dim=-1)
    return weights @ v, weights, scaled, scores
