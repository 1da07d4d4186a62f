"""Divides by the width, not its root, and takes the softmax over the wrong axis."""
# causes: divided_by_d, softmax_over_queries

import torch


def self_attention(x, w_q, w_k, w_v):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    scores = q @ k.T / k.shape[-1]
    weights = torch.softmax(scores, dim=0)
    return weights @ v, weights
