"""The mask says what is hidden."""
# causes: polarity_inverted

import torch


def decoder_mask(tokens: torch.Tensor, pad_id: int = 0) -> torch.Tensor:
    L = tokens.size(1)
    padding = (tokens == pad_id)[:, None, :]
    future = torch.triu(torch.ones(L, L, dtype=torch.bool), diagonal=1)
    return padding | future
