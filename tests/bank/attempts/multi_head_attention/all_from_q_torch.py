"""Self-attention: everything comes from q."""
# causes: keys_from_queries, blind_row_nan

import math

import torch
import torch.nn.functional as F


def multi_head_attention(q, k, v, w_q, w_k, w_v, w_o, num_heads, mask=None) -> torch.Tensor:
    B, L, E = q.shape
    if E % num_heads:
        raise ValueError("E must be divisible by num_heads")
    D = E // num_heads
    Q, K, V = ((q @ w).view(B, L, num_heads, D).transpose(1, 2) for w in (w_q, w_k, w_v))
    scores = Q @ K.mT / math.sqrt(D)
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    return (F.softmax(scores, dim=-1) @ V).transpose(1, 2).reshape(B, L, E) @ w_o
