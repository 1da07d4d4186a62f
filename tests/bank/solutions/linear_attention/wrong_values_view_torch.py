"""Breaks "Takes views": tokens of all examples are lined up with view().
Shows with v = x.transpose(0, 1) of an (n, B, Dv) tensor, n and B above 1: raises RuntimeError."""
import torch


def _phi(x):
    return torch.where(x > 0, x + 1, torch.exp(x.masked_fill(x > 0, 0)))


def linear_attention(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    B, n, D = q.shape
    Dv = v.shape[-1]
    fq = _phi(q.reshape(B * n, D)).view(B, n, D)
    fk = _phi(k.reshape(B * n, D)).view(B, n, D)
    values = v.view(B * n, Dv).view(B, n, Dv)
    num = torch.bmm(fq, torch.bmm(fk.transpose(1, 2), values))
    den = torch.bmm(fq, fk.sum(dim=1, keepdim=True).transpose(1, 2))
    return num / den
