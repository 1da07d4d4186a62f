"""True in a mask is what is masked out."""
# causes: mask_inverted

import math

import torch
import torch.nn.functional as F


def multi_head_attention(q, k, v, w_q, w_k, w_v, w_o, num_heads, mask=None) -> torch.Tensor:
    B, L, E = q.shape
    if E % num_heads:
        raise ValueError("E must be divisible by num_heads")
    D = E // num_heads
    Q, K, V = (
        (x @ w).view(B, -1, num_heads, D).transpose(1, 2)
        for x, w in ((q, w_q), (k, w_k), (v, w_v))
    )
    scores = Q @ K.mT / math.sqrt(D)
    if mask is not None:
        scores = scores.masked_fill(mask, torch.finfo(scores.dtype).min)
    weights = F.softmax(scores, dim=-1)
    if mask is not None:
        weights = weights.masked_fill(mask, 0)
    return (weights @ V).transpose(1, 2).reshape(B, L, E) @ w_o
