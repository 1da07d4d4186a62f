"""repeat_interleave."""
# causes: none

import math

import torch
import torch.nn.functional as F


def grouped_query_attention(q, k, v, causal=False):
    B, H, L, D = q.shape
    G, S = k.size(1), k.size(2)
    if H % G != 0:
        raise ValueError("H must be divisible by G")
    k = torch.repeat_interleave(k, H // G, dim=1)
    v = torch.repeat_interleave(v, H // G, dim=1)
    scores = torch.matmul(q, k.transpose(-2, -1)) / math.sqrt(D)
    if causal:
        mask = torch.tril(torch.ones(L, S, dtype=torch.bool), diagonal=S - L)
        scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
        return F.softmax(scores, dim=-1).masked_fill(~mask, 0.0) @ v
    return F.softmax(scores, dim=-1) @ v
