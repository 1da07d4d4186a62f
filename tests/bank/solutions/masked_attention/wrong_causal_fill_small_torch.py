"""Padding is filled with the minimum, the future only with -5 000."""
import torch


def masked_attention(q, k, v, padding_mask=None, causal=False):
    s = q @ k.mT / q.shape[-1] ** 0.5
    L, S = s.shape[1:]
    seen = torch.ones_like(s, dtype=torch.bool)
    if causal:
        m = torch.ones(L, S, dtype=torch.bool).tril(S - L)
        s = s.masked_fill(~m, -5e3)
        seen = seen & m
    if padding_mask is not None:
        s = s.masked_fill(~padding_mask[:, None], torch.finfo(s.dtype).min)
        seen = seen & padding_mask[:, None]
    w = torch.softmax(s, -1) * seen
    w = w / w.sum(-1, keepdim=True).clamp(min=1e-30)
    return w @ v, w
