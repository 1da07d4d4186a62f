"""Only words before it."""
# causes: diagonal_hidden

import torch


def decoder_mask(tokens: torch.Tensor, pad_id: int = 0) -> torch.Tensor:
    L = tokens.size(1)
    return (tokens != pad_id).unsqueeze(1) & torch.tril(torch.ones(L, L), diagonal=-1).bool()
