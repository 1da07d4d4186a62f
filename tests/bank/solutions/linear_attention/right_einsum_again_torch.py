"""In another style: einsum."""

import torch
from torch import nn

phi = nn.ELU()


def linear_attention(q, k, v):
    a, b = phi(q).add(1), phi(k).add(1)
    one = torch.cat([v, torch.ones_like(v[..., :1])], -1)
    o = a @ (b.mT @ one)
    return o[..., :-1] / o[..., -1:]
