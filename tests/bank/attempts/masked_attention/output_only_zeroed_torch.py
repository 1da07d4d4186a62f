"""Rows that see nothing are repaired in the output; the weights keep their NaN."""
# causes: hidden_row_nan

import math

import torch


def masked_attention(q, k, v, padding_mask=None, causal=False):
    scores = torch.einsum("bld,bsd->bls", q, k) / math.sqrt(q.shape[-1])
    L, S = scores.shape[-2:]
    hidden = torch.zeros_like(scores, dtype=torch.bool)
    if padding_mask is not None:
        hidden = hidden | ~padding_mask[:, None, :]
    if causal:
        hidden = hidden | torch.triu(torch.ones(L, S), diagonal=1 + S - L).bool()
    scores = scores.masked_fill(hidden, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    output = torch.nan_to_num(weights @ v)
    return output, weights
