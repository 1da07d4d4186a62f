"""clamp, and a triangle from the first key."""
# causes: clipped, aligned_to_start

import math

import torch


def softcapped_attention(q, k, v, cap, causal=False):
    s = (q @ k.mT / math.sqrt(q.shape[-1])).clamp(min=-cap, max=cap)
    if causal:
        m = torch.tril(torch.ones(s.shape[-2], s.shape[-1], dtype=torch.bool))
        s = s.masked_fill(~m, -1e9)
    return torch.softmax(s, dim=-1) @ v
