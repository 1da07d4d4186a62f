"""Every product by adding up the columns one after another from the last to the first: the longest chain of roundings there is."""

import math

import torch


def times(a, b):
    total = a[..., -1:] * b[..., -1:, :]
    for i in range(a.shape[-1] - 2, -1, -1):
        total = total + a[..., i : i + 1] * b[..., i : i + 1, :]
    return total


def multi_head_attention(q, k, v, w_q, w_k, w_v, w_o, num_heads, mask=None):
    if q.shape[-1] % num_heads:
        raise ValueError("the heads do not share the width evenly")
    queries, keys, values = (torch.stack(times(x, w).chunk(num_heads, -1), 1) for x, w in ((q, w_q), (k, w_k), (v, w_v)))
    scores = times(queries, keys.mT) / math.sqrt(queries.shape[-1])
    if mask is not None:
        scores = torch.where(mask, scores, -torch.inf)
    highest = scores.amax(-1, keepdim=True).detach().clamp(min=torch.finfo(q.dtype).min)
    shares = torch.exp(scores - highest)
    weights = shares / shares.sum(-1, keepdim=True).clamp(min=torch.finfo(q.dtype).tiny)
    return times(torch.cat(times(weights, values).unbind(1), -1), w_o)
