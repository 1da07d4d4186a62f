"""1 and 0, shaped for heads and queries."""
# causes: integers, axis_for_heads

import torch


def padding_mask(tokens: torch.Tensor, pad_id: int = 0) -> torch.Tensor:
    return (tokens != pad_id).long().unsqueeze(1).unsqueeze(2)
