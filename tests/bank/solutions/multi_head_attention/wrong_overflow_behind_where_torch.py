"""The exponential of a hidden score overflows, and its gradient is NaN."""

import math

import torch


def multi_head_attention(q, k, v, w_q, w_k, w_v, w_o, num_heads, mask=None) -> torch.Tensor:
    """Attend with several heads at once."""
    B, L, E = q.shape
    S = k.shape[1]
    if num_heads < 1 or E % num_heads:
        raise ValueError("E must be divisible by num_heads")
    D = E // num_heads
    qh = (q @ w_q).reshape(B, L, num_heads, D).transpose(1, 2)
    kh = (k @ w_k).reshape(B, S, num_heads, D).transpose(1, 2)
    vh = (v @ w_v).reshape(B, S, num_heads, D).transpose(1, 2)
    scores = qh @ kh.transpose(-2, -1) / math.sqrt(D)
    if mask is None:
        weights = torch.softmax(scores, dim=-1)
    else:
        seen = mask.expand_as(scores)
        peak = scores.detach().masked_fill(~seen, float("-inf")).amax(dim=-1, keepdim=True)
        peak = peak.masked_fill(peak == float("-inf"), 0.0)
        e = torch.where(seen, torch.exp(scores - peak), torch.zeros_like(scores))
        total = e.sum(dim=-1, keepdim=True)
        weights = e / total.masked_fill(total == 0, 1.0)
    return (weights @ vh).transpose(1, 2).reshape(B, L, E) @ w_o
