"""One axis for heads and one for queries."""
# causes: axis_for_heads

import torch


def padding_mask(tokens: torch.Tensor, pad_id: int = 0) -> torch.Tensor:
    return (tokens != pad_id)[:, None, None, :]
