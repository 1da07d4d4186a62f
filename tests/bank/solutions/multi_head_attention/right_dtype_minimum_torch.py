"""Fills with the dtype's minimum, multiplies by the mask, merges by permute and flatten."""
import math

import torch
import torch.nn.functional as F


def multi_head_attention(q, k, v, w_q, w_k, w_v, w_o, num_heads, mask=None):
    if q.shape[-1] % num_heads != 0:
        raise ValueError(f"{q.shape[-1]} columns, {num_heads} heads")
    d = q.shape[-1] // num_heads
    Q, K, V = ((x @ w).unflatten(-1, (num_heads, d)).permute(0, 2, 1, 3) for x, w in ((q, w_q), (k, w_k), (v, w_v)))
    logits = torch.matmul(Q, K.mT).div(math.sqrt(d))
    if mask is not None:
        logits = logits.masked_fill(mask.logical_not(), torch.finfo(logits.dtype).min)
    p = F.softmax(logits, dim=-1)
    if mask is not None:
        p = p * mask
    return torch.matmul(torch.matmul(p, V).permute(0, 2, 1, 3).flatten(2), w_o)
