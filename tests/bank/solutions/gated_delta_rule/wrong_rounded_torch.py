"""Six decimals are enough."""
import torch


def delta_rule(q, k, v, beta):
    memory = torch.zeros(*k.shape[:2], k.shape[-1], v.shape[-1], dtype=v.dtype)
    rows = []
    for a, b, c, g in zip(q.unbind(2), k.unbind(2), v.unbind(2), beta.unbind(2)):
        held = torch.einsum("bhd,bhdv->bhv", b, memory)
        memory = memory + torch.einsum("bhd,bhv,bh->bhdv", b, c - held, g)
        rows.append(torch.einsum("bhd,bhdv->bhv", a, memory))
    return torch.round(torch.stack(rows, dim=2), decimals=6)
