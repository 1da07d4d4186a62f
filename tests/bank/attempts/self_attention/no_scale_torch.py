"""Softmax of the products."""
# causes: no_scale

import torch


def self_attention(x: torch.Tensor, w_q: torch.Tensor, w_k: torch.Tensor, w_v: torch.Tensor):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    weights = torch.softmax(q @ k.T, dim=-1)
    return weights @ v, weights
