"""The formula line by line."""
# causes: none

import math

import torch
import torch.nn.functional as F


def softcapped_attention(q, k, v, cap, causal=False):
    scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
    scores = torch.tanh(scores / cap) * cap
    if causal:
        L, S = scores.shape[-2:]
        hidden = torch.triu(torch.ones(L, S, dtype=torch.bool), diagonal=S - L + 1)
        scores = scores.masked_fill(hidden, torch.finfo(scores.dtype).min)
        return F.softmax(scores, dim=-1).masked_fill(hidden, 0.0) @ v
    return F.softmax(scores, dim=-1) @ v
