"""tensor.repeat, and a triangle from the first key."""
# causes: groups_in_turn, aligned_to_start

import math

import torch


def grouped_query_attention(q, k, v, causal=False):
    H, G = q.size(1), k.size(1)
    if H % G:
        raise ValueError("bad groups")
    k, v = k.repeat(1, H // G, 1, 1), v.repeat(1, H // G, 1, 1)
    scores = q @ k.transpose(-1, -2) / math.sqrt(q.size(-1))
    if causal:
        mask = torch.tril(torch.ones(q.size(2), k.size(2)))
        scores = scores.masked_fill(mask == 0, -1e9)
    return scores.softmax(-1) @ v
