"""A mask for all heads."""
# causes: heads_axis, padded_queries_hidden

import torch


def decoder_mask(tokens: torch.Tensor, pad_id: int = 0) -> torch.Tensor:
    L = tokens.size(1)
    words = tokens != pad_id
    both = words.unsqueeze(1) & words.unsqueeze(2)
    return (both & torch.tril(torch.ones(L, L)).bool()).unsqueeze(1)
