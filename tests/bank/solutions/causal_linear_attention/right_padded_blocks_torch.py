"""Right. No loop at all: the sequence is padded to blocks of 64 (features padded with 0), blocks are an
axis, and the memory before each block is a cumsum shifted by one block."""
import torch
import torch.nn.functional as F


def causal_linear_attention(q, k, v):
    c = 64
    B, n, D = q.shape
    blocks = -(-n // c)

    def phi(t):
        return torch.where(t > 0, t + 1, t.clamp(max=0).exp())

    def split(t):
        return F.pad(t, (0, 0, 0, blocks * c - n)).reshape(B, blocks, c, t.shape[-1])

    a, b = split(phi(q)), split(phi(k))
    w = split(torch.cat([v, torch.ones_like(v[..., :1])], dim=-1))
    local = torch.tril(a @ b.transpose(-1, -2)) @ w
    sums = (b.transpose(-1, -2) @ w).cumsum(dim=1)
    before = torch.cat([torch.zeros_like(sums[:, :1]), sums[:, :-1]], dim=1)
    both = (local + a @ before).reshape(B, blocks * c, -1)[:, :n]
    return both[..., :-1] / both[..., -1:]
