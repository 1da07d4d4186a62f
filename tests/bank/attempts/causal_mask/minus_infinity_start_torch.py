"""generate_square_subsequent_mask of the tutorial."""
# causes: penalties, aligned_to_start

import torch


def causal_mask(query_len: int, key_len: int | None = None) -> torch.Tensor:
    S = query_len if key_len is None else key_len
    return torch.triu(torch.full((query_len, S), float("-inf")), diagonal=1)
