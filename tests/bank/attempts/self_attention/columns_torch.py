"""Softmax over dimension 0."""
# causes: softmax_over_queries

import math

import torch


def self_attention(x: torch.Tensor, w_q: torch.Tensor, w_k: torch.Tensor, w_v: torch.Tensor):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    weights = torch.softmax(q @ k.T / math.sqrt(q.shape[1]), dim=0)
    return weights @ v, weights
