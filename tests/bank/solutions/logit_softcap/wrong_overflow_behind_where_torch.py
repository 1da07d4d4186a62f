"""An exponential overflows behind a where, and the gradient is NaN."""
import math
import torch
from torch import nn
import torch.nn.functional as F


def softcapped_attention(q, k, v, cap, causal=False):
    L, S = q.shape[-2], k.shape[-2]
    w = torch.matmul(q, k.transpose(-2, -1)) * (q.shape[-1] ** -0.5)
    x = w / cap
    e = torch.expm1(2 * x)
    w = torch.where(x.abs() > 20, torch.sign(x), e / (e + 2)) * cap
    if causal:
        mask = torch.ones(L, S, dtype=torch.bool, device=q.device).triu(1 + S - L)
        w = w.masked_fill(mask, torch.finfo(w.dtype).min)
        return F.softmax(w, dim=-1).masked_fill(mask, 0.0) @ v
    return F.softmax(w, dim=-1) @ v
