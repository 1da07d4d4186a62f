"""One step for each token: right, and slow."""
import torch


def retention(q, k, v, decay):
    memory = q.new_zeros(*q.shape[:2], q.shape[-1], v.shape[-1])
    rows = []
    for a, b, c in zip(q.unbind(2), k.unbind(2), v.unbind(2)):
        memory = decay[:, None, None] * memory + b[..., None] * c[..., None, :]
        rows.append(torch.einsum("bhd,bhdv->bhv", a, memory))
    return torch.stack(rows, 2)
