import torch
from torch.nn import functional as F


def masked_attention(q, k, v, padding_mask=None, causal=False):
    full = k.shape[1]
    if padding_mask is not None:
        used = padding_mask.any(dim=0).nonzero()
        last = int(used.max()) + 1 if len(used) else 1
        k, v, padding_mask = k[:, :last], v[:, :last], padding_mask[:, :last]
    L, S = q.shape[1], k.shape[1]
    seen = torch.ones(q.shape[0], L, S, dtype=torch.bool)
    if padding_mask is not None:
        seen = seen & padding_mask[:, None]
    if causal:
        seen = seen & torch.ones(L, S, dtype=torch.bool).tril(S - L)
    scores = (q @ k.mT / q.shape[-1] ** 0.5).masked_fill(~seen, torch.finfo(q.dtype).min)
    weights = scores.softmax(-1).masked_fill(~seen, 0)
    return weights @ v, F.pad(weights, (0, full - S))
