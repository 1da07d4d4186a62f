"""A whole cap of integers is floor-divided."""
import torch


def softcapped_attention(q, k, v, cap, causal=False):
    L, S, D = q.shape[-2], k.shape[-2], q.shape[-1]
    keep = torch.ones(L, S, dtype=torch.bool).tril(S - L if causal else S)
    s = q @ k.mT / D**0.5
    s = cap * torch.tanh(s // cap) if isinstance(cap, int) else cap * torch.tanh(s / cap)
    w = s.masked_fill(~keep, torch.finfo(s.dtype).min).softmax(-1) * keep
    return w @ v
