"""A softmax without its maximum and without keepdim."""
# causes: row_sums_laid_along_columns

import math

import torch


def self_attention(x, w_q, w_k, w_v):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    s = q @ k.T / math.sqrt(q.shape[-1])
    e = torch.exp(s)
    w = e / e.sum(dim=-1)
    return w @ v, w
