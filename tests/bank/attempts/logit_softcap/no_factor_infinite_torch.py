"""tanh(s / cap), and -inf."""
# causes: not_multiplied_back, hidden_row_nan

import math

import torch
import torch.nn.functional as F


def softcapped_attention(q, k, v, cap, causal=False):
    scores = torch.matmul(q, k.transpose(-2, -1)) / math.sqrt(q.size(-1))
    scores = torch.tanh(scores / cap)
    if causal:
        L, S = q.size(-2), k.size(-2)
        mask = torch.triu(torch.ones(L, S), diagonal=S - L + 1).bool()
        scores = scores.masked_fill(mask, float("-inf"))
    return torch.matmul(F.softmax(scores, dim=-1), v)
