"""All changes at once, in chunks of 50: a triangular system in each."""
import torch


def delta_rule(q, k, v, beta):
    memory, out = 0, []
    for a, b, c, g in zip(q.split(50, 2), k.split(50, 2), v.split(50, 2), beta.split(50, 2)):
        memory = torch.zeros(*b.shape[:2], b.shape[-1], c.shape[-1], dtype=c.dtype) if not out else memory
        g = g[..., None]
        near = torch.tril(b @ b.mT, -1) * g + torch.eye(b.shape[2], dtype=b.dtype)
        u = torch.linalg.solve_triangular(near, g * (c - b @ memory), upper=False)
        out.append(a @ memory + torch.tril(a @ b.mT) @ u)
        memory = memory + b.mT @ u
    return torch.cat(out, 2)
