"""Both the query and the key must be words."""
# causes: one_row_for_each_query

import torch


def padding_mask(tokens: torch.Tensor, pad_id: int = 0) -> torch.Tensor:
    words = tokens != pad_id
    return words.unsqueeze(1) & words.unsqueeze(2)
