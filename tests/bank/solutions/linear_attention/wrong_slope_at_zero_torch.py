"""Breaks "Gradients flow" where an entry is exactly 0: both clamps let the gradient through, so that phi'(0) is 2, not 1.
Shows in the gradients of q and k for entries that are exactly 0; the outputs are right."""
import torch


def _phi(x):
    return torch.exp(x.clamp(max=0)) + x.clamp(min=0)


def linear_attention(q: torch.Tensor, k: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    fq, fk = _phi(q), _phi(k)
    num = fq @ (fk.transpose(1, 2) @ v)
    den = fq @ fk.sum(dim=1).unsqueeze(-1)
    return num / den
