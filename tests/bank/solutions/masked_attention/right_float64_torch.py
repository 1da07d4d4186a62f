"""Right: float64 inside and a clamp of the row sum, cast back; the weights come back as a non-contiguous view."""
import math

import torch


def masked_attention(q, k, v, padding_mask=None, causal=False):
    kind = q.dtype
    q, k, v = q.double(), k.double(), v.double()
    scores = (k @ q.transpose(1, 2)) / math.sqrt(q.shape[-1])
    S, L = scores.shape[1:]
    seen = torch.ones_like(scores)
    if padding_mask is not None:
        seen = seen * padding_mask[:, :, None]
    if causal:
        seen = seen * torch.ones(L, S).tril(S - L).T
    top = scores.masked_fill(seen == 0, -1e200).max(1, keepdim=True).values
    e = torch.exp((scores - top).masked_fill(seen == 0, -1e5)) * seen
    weights = (e / e.sum(1, keepdim=True).clamp(min=1e-300)).transpose(1, 2)
    return (weights @ v).to(kind), weights.to(kind)
