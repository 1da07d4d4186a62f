"""The gradient reaches the gates twice."""
import torch


def delta_rule(q, k, v, beta):
    memory = torch.zeros(*k.shape[:2], k.shape[-1], v.shape[-1], dtype=v.dtype)
    rows = []
    for a, b, c, g in zip(q.unbind(2), k.unbind(2), v.unbind(2), (2 * beta - beta.detach()).unbind(2)):
        held = torch.einsum("bhd,bhdv->bhv", b, memory)
        memory = memory + torch.einsum("bhd,bhv,bh->bhdv", b, c - held, g)
        rows.append(torch.einsum("bhd,bhdv->bhv", a, memory))
    return torch.stack(rows, dim=2)
