"""Equal to the padding, inverted, reshaped."""
# causes: none

import torch


def padding_mask(tokens: torch.Tensor, pad_id: int = 0) -> torch.Tensor:
    B, S = tokens.shape
    return (~tokens.eq(pad_id)).view(B, 1, S)
