"""Word ids are larger than the padding id."""
# causes: larger_than_pad_id

import torch


def padding_mask(tokens: torch.Tensor, pad_id: int = 0) -> torch.Tensor:
    return (tokens > pad_id).unsqueeze(1)
