"""cap * tanh(s), and -1e9."""
# causes: not_divided_first, hidden_row_uniform

import math

import torch


def softcapped_attention(q, k, v, cap, causal=False):
    s = cap * torch.tanh(q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1]))
    if causal:
        L, S = s.shape[-2:]
        s = s.masked_fill(torch.ones(L, S).tril(S - L) == 0, -1e9)
    return s.softmax(-1) @ v
