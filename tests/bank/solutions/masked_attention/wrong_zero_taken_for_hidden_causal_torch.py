# wrong: scores above the diagonal are made 0, and then every score of 0 counts as hidden; a query of zeros has honest scores of 0 and loses them
import math

import torch


def masked_attention(q, k, v, padding_mask=None, causal=False):
    queries, keys, width = q.shape[-2], k.shape[-2], q.shape[-1]
    scores = q @ k.transpose(-1, -2) / math.sqrt(width)  # (B, L, S)

    visible = torch.ones_like(scores, dtype=torch.bool)  # (B, L, S), True = may attend
    if padding_mask is not None:
        visible = visible & padding_mask[:, None, :]  # (B, 1, S): the same keys for every query
    if causal:
        visible = visible & (scores.tril(keys - queries) != 0)

    scores = scores.masked_fill(~visible, torch.finfo(scores.dtype).min)
    weights = torch.softmax(scores, dim=-1).masked_fill(~visible, 0)  # (B, L, S)
    return weights @ v, weights  # (B, L, Dv), (B, L, S)
