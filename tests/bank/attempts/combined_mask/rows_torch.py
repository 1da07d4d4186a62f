"""The mask of a padded token is a row."""
# causes: padding_on_queries

import torch


def decoder_mask(tokens: torch.Tensor, pad_id: int = 0) -> torch.Tensor:
    L = tokens.size(1)
    return (tokens != pad_id).unsqueeze(-1) & torch.ones(L, L).tril().bool()
