"""A word must not look at the future."""
# causes: later_words_hidden

import math

import torch
import torch.nn.functional as F


def self_attention(x: torch.Tensor, w_q: torch.Tensor, w_k: torch.Tensor, w_v: torch.Tensor):
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    n = x.shape[0]
    scores = q @ k.T / math.sqrt(q.shape[1])
    mask = torch.tril(torch.ones(n, n))
    scores = scores.masked_fill(mask == 0, float("-inf"))
    weights = F.softmax(scores, dim=-1)
    return weights @ v, weights
