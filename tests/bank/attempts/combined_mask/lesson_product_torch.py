"""Multiply ones and zeros, then bool."""
# causes: none

import torch


def decoder_mask(tokens: torch.Tensor, pad_id: int = 0) -> torch.Tensor:
    B, L = tokens.shape
    keep = (tokens != pad_id).float()
    causal = torch.tril(torch.ones(L, L))
    return torch.einsum("ij,bj->bij", causal, keep).bool()
