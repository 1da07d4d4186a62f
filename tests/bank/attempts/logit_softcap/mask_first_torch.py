"""Mask, then cap, then softmax."""
# causes: mask_before_the_cap

import math

import torch


def softcapped_attention(q, k, v, cap, causal=False):
    s = q @ k.transpose(-2, -1) / math.sqrt(q.shape[-1])
    if causal:
        L, S = s.shape[-2:]
        s = s.masked_fill(~torch.ones(L, S, dtype=torch.bool).tril(S - L), float("-inf"))
    s = cap * torch.tanh(s / cap)
    return s.softmax(dim=-1) @ v
