"""Everything in float64, cast back at the end; the exponential is kept out of the positive side by a clamp."""

import torch


def linear_attention(q, k, v):
    def phi(x):
        return torch.where(x > 0, x + 1, torch.exp(torch.clamp(x, max=0.0)))

    a, b, w = phi(q.double()), phi(k.double()), v.double()
    top = a @ torch.bmm(b.transpose(1, 2), w)
    bottom = (a * b.sum(dim=1, keepdim=True)).sum(dim=-1, keepdim=True)
    return (top / bottom).to(v.dtype)
