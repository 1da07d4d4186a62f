"""Caps the output."""
# causes: output_capped

import math

import torch


def softcapped_attention(q, k, v, cap, causal=False):
    s = q @ k.mT / math.sqrt(q.shape[-1])
    L, S = s.shape[-2:]
    see = torch.ones(L, S, dtype=torch.bool).tril(S - L if causal else S)
    out = (s.masked_fill(~see, -1e30).softmax(-1) * see) @ v
    return cap * torch.tanh(out / cap)
