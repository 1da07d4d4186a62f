"""Twice as many heads, as in the authors' code: heads 2h and 2h + 1 belong together."""
import torch


def differential_attention(q1, k1, q2, k2, v, lam):
    B, H, L, D = q1.shape
    q = torch.stack([q1, q2], dim=2).reshape(B, 2 * H, L, D)
    k = torch.stack([k1, k2], dim=2).reshape(B, 2 * H, -1, D)
    w = torch.softmax(q @ k.mT / D**0.5, dim=-1).view(B, H, 2, L, -1)
    w = w[:, :, 0] - lam[None, :, None, None] * w[:, :, 1]
    return torch.einsum("bhls,bhsv->bhlv", w, v)
