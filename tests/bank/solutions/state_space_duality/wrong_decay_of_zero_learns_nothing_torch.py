"""A decay of 0 is a constant."""
import torch


def ssd(x, a, b, c, chunk):
    B, H, n, Dv = x.shape
    a = torch.where(a > 0, a, torch.zeros_like(a))
    state = x.new_zeros(B, H, b.shape[-1], Dv)
    parts = []
    for s in range(0, n, chunk):
        X, A = x[:, :, s : s + chunk], a[:, :, s : s + chunk]
        K, Q = b[:, None, s : s + chunk], c[:, None, s : s + chunk]
        i = torch.arange(A.shape[-1])
        near = torch.where(i[:, None] > i, A[..., None], 1.0).cumprod(2).tril()
        since = A.cumprod(2)
        parts.append((Q @ K.mT * near) @ X + since[..., None] * (Q @ state))
        state = since[:, :, -1, None, None] * state + (K * near[:, :, -1, :, None]).mT @ X
    return torch.cat(parts, dim=2)
