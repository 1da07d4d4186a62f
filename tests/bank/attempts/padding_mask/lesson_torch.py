"""The line of the annotated transformer."""
# causes: none

import torch


def padding_mask(tokens: torch.Tensor, pad_id: int = 0) -> torch.Tensor:
    return (tokens != pad_id).unsqueeze(-2)
