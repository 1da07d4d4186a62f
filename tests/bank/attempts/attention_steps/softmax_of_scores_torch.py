"""Softmax of the scores."""
# causes: softmax_of_unscaled_scores

import math

import torch


def attention_steps(x: torch.Tensor, w_q: torch.Tensor, w_k: torch.Tensor, w_v: torch.Tensor):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    scores = q @ k.T
    scaled = scores / math.sqrt(q.size(1))
    weights = torch.softmax(scores, dim=-1)
    return scores, scaled, weights, weights @ v
