"""repeat_interleave, and -inf for the future."""
# causes: hidden_row_nan

import math

import torch
import torch.nn.functional as F


def grouped_query_attention(q, k, v, causal=False):
    B, H, L, D = q.shape
    _, G, S, _ = k.shape
    if H % G != 0:
        raise ValueError("num_heads must be divisible by num_groups")
    k = k.repeat_interleave(H // G, dim=1)
    v = v.repeat_interleave(H // G, dim=1)
    attn = (q @ k.transpose(-2, -1)) / math.sqrt(D)
    if causal:
        mask = torch.triu(torch.ones(L, S), diagonal=S - L + 1).bool()
        attn = attn.masked_fill(mask, float("-inf"))
    return F.softmax(attn, dim=-1) @ v
