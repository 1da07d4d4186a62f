"""True marks what is masked: padded tokens and the future."""
# causes: padding_on_queries, polarity_inverted

import torch


def decoder_mask(tokens: torch.Tensor, pad_id: int = 0) -> torch.Tensor:
    L = tokens.size(1)
    return (tokens == pad_id).unsqueeze(-1) | torch.ones(L, L).triu(1).bool()
