"""In another style: example by example."""

import torch


def masked_attention(q, k, v, padding_mask=None, causal=False):
    L, S = q.shape[1], k.shape[1]
    s = torch.bmm(q, k.mT) / q.shape[-1] ** 0.5
    see = torch.ones(1, 1, S, dtype=torch.bool) if padding_mask is None else padding_mask.unsqueeze(1)
    if causal:
        see = see & (torch.arange(S) <= torch.arange(L)[:, None] + S - L)
    see = see.expand_as(s)
    none = ~see.any(-1, keepdim=True)
    w = torch.softmax(s.masked_fill(~see & ~none, float("-inf")), -1) * ~none
    return w @ v, w
