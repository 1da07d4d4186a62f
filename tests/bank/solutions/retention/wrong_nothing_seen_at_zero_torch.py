"""Zeroes the powers of a decay of 0, the token itself included."""

import torch


def retention(q, k, v, decay):
    B, H, n, D = q.shape
    M = q.new_zeros(B, H, D, v.shape[-1])
    rows = []
    g = decay[:, None]
    alive = (g > 0).to(q.dtype)
    for Q, K, V in zip(q.split(64, 2), k.split(64, 2), v.split(64, 2)):
        m = Q.shape[2]
        t = torch.arange(m)
        w = (alive * g)[..., None] ** (t[:, None] - t).clamp(min=0) * alive[..., None]
        rows.append((Q @ K.transpose(-1, -2) * w.tril()) @ V + (Q * (g ** (t + 1))[..., None]) @ M)
        M = (g**m)[..., None] * M + (K * (g ** (m - 1 - t))[..., None]).transpose(-1, -2) @ V
    return torch.cat(rows, 2)
