"""Breaks "Takes views": the tokens are lined up with view().
Shows with x = a.transpose(0, 1) of an (n, B, E) tensor, n and B above 1: raises RuntimeError."""
import torch


def rms_norm(x: torch.Tensor, gain: torch.Tensor, eps: float) -> torch.Tensor:
    rows = x.view(-1, x.shape[-1])
    rms = torch.sqrt(torch.einsum("ne,ne->n", rows, rows) / rows.shape[1] + eps)
    return (rows / rms[:, None] * gain).view(x.shape)
