"""Breaks "even -10 000 is far above -inf": m starts at -10 000, and if nothing rose above it, nothing was visible.
Shows with all scores exactly -10 000 (or -10 000 and -inf): the weights are 0."""
import torch

LOWEST = -1e4


def online_softmax(blocks: list[torch.Tensor]) -> torch.Tensor:
    m = torch.full((), LOWEST, dtype=blocks[0].dtype)
    l = torch.zeros((), dtype=blocks[0].dtype)
    for x in blocks:
        new = torch.maximum(m, x.max())
        l = l * torch.exp(m - new) + torch.exp(x - new).sum()
        m = new
    if m <= LOWEST:
        return torch.zeros_like(torch.cat(blocks))
    return torch.exp(torch.cat(blocks) - m) / l
