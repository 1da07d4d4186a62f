"""Square keys are not transposed."""

import math

import torch


def masked_attention(q, k, v, padding_mask=None, causal=False):
    (B, L, D), S = q.shape, k.shape[1]
    s = q @ k.mT / math.sqrt(D)
    see = torch.ones(B, L, S, dtype=torch.bool)
    if padding_mask is not None:
        see = see & padding_mask[:, None, :]
    if causal:
        see = see.tril(S - L)
    s = q @ (k if S == D else k.mT) / math.sqrt(D)
    w = torch.softmax(s.masked_fill(~see, torch.finfo(s.dtype).min), -1) * see
    return w @ v, w
