"""One axis for heads and one for queries."""
# causes: other: an axis for heads

import torch


def padding_mask(tokens: torch.Tensor, pad_id: int = 0) -> torch.Tensor:
    return (tokens != pad_id)[:, None, None, :]
