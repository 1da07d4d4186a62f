"""The softmax first, the mask multiplied in, and the rows made to sum to one again."""
# causes: renormalised_after_masking

import math

import torch


def masked_attention(q, k, v, padding_mask=None, causal=False):
    B, L, D = q.shape
    S = k.shape[1]
    weights = torch.softmax(q @ k.transpose(1, 2) / math.sqrt(D), dim=-1)
    mask = torch.ones(B, L, S, dtype=torch.bool, device=q.device)
    if padding_mask is not None:
        mask = mask & padding_mask[:, None, :]
    if causal:
        mask = mask & torch.ones(L, S, dtype=torch.bool).tril(S - L)
    weights = weights * mask
    weights = weights / weights.sum(-1, keepdim=True)
    return weights @ v, weights
