"""The target mask of the annotated transformer."""
# causes: none

import torch


def decoder_mask(tokens: torch.Tensor, pad_id: int = 0) -> torch.Tensor:
    mask = (tokens != pad_id).unsqueeze(-2)
    size = tokens.size(-1)
    future = torch.triu(torch.ones(1, size, size), diagonal=1).type(torch.uint8)
    return mask & (future == 0)
