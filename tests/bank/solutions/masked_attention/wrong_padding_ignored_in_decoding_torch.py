"""A single causal query sees padding."""

import math

import torch


def masked_attention(q, k, v, padding_mask=None, causal=False):
    L, S = q.shape[1], k.shape[1]
    s = q @ k.mT / math.sqrt(q.shape[-1])
    see = torch.ones(q.shape[0], L, S, dtype=torch.bool)
    if padding_mask is not None and not (causal and L == 1):
        see = see & padding_mask[:, None]
    if causal:
        see = see & torch.ones(L, S, dtype=torch.bool).tril(S - L)
    s = s.masked_fill(~see, -math.inf)
    w = torch.softmax(s, -1).masked_fill(~see, 0)
    return w @ v, w
