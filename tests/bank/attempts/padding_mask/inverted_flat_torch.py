"""The key padding mask of PyTorch."""
# causes: polarity_inverted, no_query_axis

import torch


def padding_mask(tokens: torch.Tensor, pad_id: int = 0) -> torch.Tensor:
    return tokens == pad_id
