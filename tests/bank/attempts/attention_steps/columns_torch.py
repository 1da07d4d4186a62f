"""Softmax, dimension 0."""
# causes: softmax_over_queries, divided_by_d

import torch


def attention_steps(x: torch.Tensor, w_q: torch.Tensor, w_k: torch.Tensor, w_v: torch.Tensor):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    scores = q @ k.T
    scaled = scores / q.size(1)
    weights = torch.softmax(scaled, dim=0)
    return scores, scaled, weights, weights @ v
