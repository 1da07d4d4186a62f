# Heads join the batch: after that, three axes are enough, and bmm is all it takes.
import math

import torch


def multi_head_attention(q, k, v, w_q, w_k, w_v, w_o, num_heads, mask=None):
    B, L, E = q.shape
    if E % num_heads != 0:
        raise ValueError(f"a width of {E} cannot be shared out evenly among {num_heads} heads")
    queries, keys, values = (fold(x, num_heads) for x in (q @ w_q, k @ w_k, v @ w_v))
    scores = torch.bmm(queries, keys.mT) / math.sqrt(E // num_heads)  # (B H, L, S)
    hidden = torch.zeros_like(scores, dtype=torch.bool)
    if mask is not None:
        hidden = ~mask.expand(B, num_heads, L, -1).flatten(0, 1)
    weights = torch.softmax(scores.masked_fill(hidden, -math.inf), dim=-1)
    heads = torch.bmm(weights.masked_fill(hidden, 0.0), values)  # (B H, L, D)
    return heads.unflatten(0, (B, num_heads)).transpose(1, 2).flatten(2) @ w_o


def fold(x, num_heads):
    return x.unflatten(-1, (num_heads, -1)).transpose(1, 2).flatten(0, 1)  # (B H, n, D)
