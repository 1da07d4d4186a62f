"""K times Q transposed, then softmax."""
# causes: keys_ask_queries, no_scale

import torch


def self_attention(x: torch.Tensor, w_q: torch.Tensor, w_k: torch.Tensor, w_v: torch.Tensor):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    weights = torch.softmax(k @ q.T, dim=-1)
    return weights @ v, weights
