"""masked_fill(mask, -inf) as in the docs."""
# causes: mask_inverted, blind_row_nan

import math

import torch


def multi_head_attention(q, k, v, w_q, w_k, w_v, w_o, num_heads, mask=None) -> torch.Tensor:
    B, L, E = q.shape
    if E % num_heads:
        raise ValueError("E must be divisible by num_heads")
    D = E // num_heads
    Q, K, V = (
        (x @ w).view(B, -1, num_heads, D).transpose(1, 2)
        for x, w in ((q, w_q), (k, w_k), (v, w_v))
    )
    scores = torch.einsum("bhld,bhsd->bhls", Q, K) / math.sqrt(D)
    if mask is not None:
        scores = scores.masked_fill(mask, float("-inf"))
    weights = scores.softmax(dim=-1)
    out = torch.einsum("bhls,bhsd->bhld", weights, V)
    return out.transpose(1, 2).reshape(B, L, E) @ w_o
