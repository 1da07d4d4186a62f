"""Multiply the masks."""
# causes: integers

import torch


def decoder_mask(tokens: torch.Tensor, pad_id: int = 0) -> torch.Tensor:
    L = tokens.size(1)
    return (tokens != pad_id).unsqueeze(1) * torch.tril(torch.ones(L, L))
