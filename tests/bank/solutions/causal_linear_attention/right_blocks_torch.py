"""In another style: blocks."""

import torch
import torch.nn.functional as F


def causal_linear_attention(q, k, v):
    a, b = 1 + F.elu(q), 1 + F.elu(k)
    u = torch.cat([v, v.new_ones(*v.shape[:2], 1)], -1)
    o = torch.stack(
        [(a.unsqueeze(-1) * (b.unsqueeze(-1) * u[..., e : e + 1].unsqueeze(-2)).cumsum(1)).sum((2, 3)) for e in range(u.shape[-1])], -1
    )
    return o[..., :-1] / o[..., -1:]
