"""Plain exponentials below the maximum, in double precision."""
import torch


def softcapped_attention(q, k, v, cap, causal=False):
    given = q.dtype
    q, k, v = q.double(), k.double(), v.double()
    s = cap * torch.tanh(q @ k.mT / q.shape[-1] ** 0.5 / cap)
    e = torch.exp(s - s.detach().amax(-1, keepdim=True))
    if causal:
        keep = torch.ones(s.shape[-2:]).tril(s.shape[-1] - s.shape[-2]).bool()
        s = s.masked_fill(~keep, -1e300)
        e = torch.exp(s - s.detach().amax(-1, keepdim=True)) * keep
    return (e / e.sum(-1, keepdim=True).clamp(min=1e-30) @ v).to(given)
