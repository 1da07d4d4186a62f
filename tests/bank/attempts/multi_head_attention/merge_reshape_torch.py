"""Reshape the heads back."""
# causes: merge_without_transpose

import math

import torch
import torch.nn.functional as F


def multi_head_attention(q, k, v, w_q, w_k, w_v, w_o, num_heads, mask=None) -> torch.Tensor:
    B, L, E = q.shape
    S = k.size(1)
    if E % num_heads:
        raise ValueError("E must be divisible by num_heads")
    D = E // num_heads
    Q = (q @ w_q).view(B, L, num_heads, D).transpose(1, 2)
    K = (k @ w_k).view(B, S, num_heads, D).transpose(1, 2)
    V = (v @ w_v).view(B, S, num_heads, D).transpose(1, 2)
    scores = Q @ K.transpose(-2, -1) / math.sqrt(D)
    if mask is not None:
        scores = scores.masked_fill(~mask, torch.finfo(scores.dtype).min)
    weights = F.softmax(scores, dim=-1)
    if mask is not None:
        weights = weights.masked_fill(~mask, 0)
    return (weights @ V).reshape(B, L, E) @ w_o
