"""The scores of the paper are already divided."""
# causes: scores_overwritten

import math

import torch


def attention_steps(x: torch.Tensor, w_q: torch.Tensor, w_k: torch.Tensor, w_v: torch.Tensor):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    scaled = q @ k.T / math.sqrt(q.size(1))
    weights = torch.softmax(scaled, dim=-1)
    return scaled, scaled, weights, weights @ v
