"""Six decimals are enough."""
import torch


def retention(q, k, v, decay):
    B, H, n, D = q.shape
    g = decay.view(H, 1, 1)
    memory = torch.zeros(B, H, D, v.shape[-1], dtype=v.dtype)
    parts = []
    for a, b, c in zip(q.split(64, 2), k.split(64, 2), v.split(64, 2)):
        m = a.shape[2]
        t = torch.arange(m, dtype=v.dtype)[:, None]
        fade = torch.tril(g ** (t - t.T).clamp(min=0))
        parts.append((a @ b.mT * fade) @ c + (a * g ** (t + 1)) @ memory)
        memory = g**m * memory + (b * g ** (m - 1 - t)).mT @ c
    return torch.round(torch.cat(parts, dim=2), decimals=6)
