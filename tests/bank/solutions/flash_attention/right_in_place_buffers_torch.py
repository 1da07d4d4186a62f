import math

import torch


@torch.no_grad()
def flash_attention(q, k, v, block_size, causal=False):
    L, S, D = q.shape[-2], k.shape[-2], q.shape[-1]
    o = torch.zeros(*q.shape[:-1], v.shape[-1], dtype=q.dtype)
    m = torch.full(q.shape[:-1], -math.inf, dtype=q.dtype)
    l = torch.zeros(q.shape[:-1], dtype=q.dtype)
    for start in range(0, S, block_size):
        s = torch.matmul(q, k[..., start : start + block_size, :].transpose(-1, -2))
        s /= math.sqrt(D)
        if causal:
            j = torch.arange(start, start + s.shape[-1])
            s.masked_fill_(j > torch.arange(L)[:, None] + S - L, -math.inf)
        new = torch.maximum(m, s.max(dim=-1).values)
        base = torch.nan_to_num(new, neginf=0.0)
        s.sub_(base.unsqueeze(-1)).exp_()
        alpha = (m - base).exp()
        l.mul_(alpha).add_(s.sum(-1))
        o.mul_(alpha.unsqueeze(-1)).add_(s @ v[..., start : start + block_size, :])
        m = new
    return o / torch.where(l > 0, l, torch.ones_like(l)).unsqueeze(-1)
