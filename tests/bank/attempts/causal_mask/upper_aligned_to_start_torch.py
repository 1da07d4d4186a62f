"""triu with diagonal 1 is the causal mask."""
# causes: polarity_inverted, aligned_to_start

import torch


def causal_mask(query_len: int, key_len: int | None = None) -> torch.Tensor:
    S = query_len if key_len is None else key_len
    return torch.triu(torch.ones(query_len, S), diagonal=1).bool()
