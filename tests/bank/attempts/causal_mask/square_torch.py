"""A mask is square."""
# causes: key_len_ignored

import torch


def causal_mask(query_len: int, key_len: int | None = None) -> torch.Tensor:
    return torch.tril(torch.ones(query_len, query_len, dtype=torch.bool))
