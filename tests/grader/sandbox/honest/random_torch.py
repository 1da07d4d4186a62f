"""Draws, dropout, generators of one's own."""

import torch


def work():
    generator = torch.Generator().manual_seed(3)
    first = torch.randn(4, generator=generator)
    again = torch.randn(4, generator=torch.Generator().manual_seed(3))
    kept = torch.nn.functional.dropout(torch.ones(1000), 0.25).count_nonzero().item()
    return (
        torch.equal(first, again)
        and 600 < kept < 900
        and torch.multinomial(torch.ones(5), 3).numel() == 3
        and torch.randperm(6).sum() == 15
    )
