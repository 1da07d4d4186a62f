"""Breaks "Gradients flow ... finite everywhere": capped(s) = s * tanh(r) / r with torch.where at r = 0, whose other branch
sends NaN back. Shows where a score is exactly 0, as with a query of zeros: its gradients are NaN."""
import math

import torch


def softcapped_attention(q, k, v, cap, causal=False):
    L, D = q.shape[-2:]
    S = k.shape[-2]
    scores = q @ k.transpose(-1, -2) / math.sqrt(D)
    ratio = scores / cap
    shrink = torch.where(ratio == 0, torch.ones_like(ratio), torch.tanh(ratio) / ratio)
    scores = scores * shrink
    seen = torch.ones(L, S, dtype=torch.bool, device=q.device)
    if causal:
        seen = seen.tril(S - L)
    some = seen.any(-1, keepdim=True)
    weights = torch.softmax(scores.masked_fill(~seen & some, -math.inf), -1)
    return (weights * some.to(weights.dtype)) @ v
