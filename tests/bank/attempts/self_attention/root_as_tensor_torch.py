"""Divide by the root, as a tensor."""
# causes: none

import torch
import torch.nn.functional as F


def self_attention(x: torch.Tensor, w_q: torch.Tensor, w_k: torch.Tensor, w_v: torch.Tensor):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    scores = q @ k.T / torch.sqrt(torch.tensor(q.shape[-1]))
    weights = F.softmax(scores, dim=-1)
    return weights @ v, weights
